// A main process that is killed cannot end its workers, and a worker in an endless loop cannot see that it is alone.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { trigger } from '../../builders/api-client.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { rowWorkers } from '../../builders/row-workers.ts';
import { closeSharedWorkers } from '../../builders/processes-for-tests.ts';

beforeAll(closeSharedWorkers);

const endless = `rowbench: 1
id: endless
nodes:
  - { id: input, type: input }
  - { id: loop, type: code, code: "for (;;) {}" }
  - { id: out, type: output, fields: { n: "=nodes.loop" } }
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.skipIf(process.platform === 'win32')('no worker outlives a main process that was killed', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'workflows'));
  await writeFile(join(folder, 'workflows', 'endless.workflow.yaml'), endless);
  const server = await startServerProcess({
    dataDir: join(folder, 'data'),
    workflows: join(folder, 'workflows'),
  });
  await trigger(server.url, 'endless', [{ n: 1 }]);
  // The one that loops and the spare.
  await expect.poll(() => rowWorkers(server.pid), { timeout: 10_000 }).toHaveLength(2);
  const workers = await rowWorkers(server.pid);
  await server.kill();
  await expect.poll(() => workers.filter(isAlive), { timeout: 5000 }).toEqual([]);
});
