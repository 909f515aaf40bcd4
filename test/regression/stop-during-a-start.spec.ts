// A start waits up to ten seconds for workflow files that are slow to parse. A stop that came meanwhile waited as well, and
// was ended by force.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { testKey } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A text that takes a core for seconds to parse. */
const slow = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: s, type: set, values: { a: [${'=1,'.repeat(330_000)}] } }
`;

it.skipIf(process.platform === 'win32')(
  'a server that has to stop while it reads slow workflow files stops in order',
  async () => {
    const folder = await temporaryFolder();
    const workflows = join(folder, 'workflows');
    await mkdir(workflows);
    for (const id of ['a', 'b', 'c', 'd']) await writeFile(join(workflows, `${id}.workflow.yaml`), slow(id));
    const dataDir = join(folder, 'data');
    const server = spawn(
      process.execPath,
      [cliFile, 'serve', '--port', '0', '--data', dataDir, '--workflows', workflows],
      { env: { ...process.env, ROWBENCH_API_KEY: testKey }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    onTestFinished(() => void server.kill('SIGKILL'));
    const said = text(server.stderr);
    const lock = join(dataDir, 'lock');
    await expect
      .poll(() =>
        access(lock).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    server.kill('SIGTERM');
    // One that had waited for its files would have been ended by force.
    expect(await once(server, 'exit')).toEqual([0, null]);
    expect(await said).toBe('Stopping; runs that are under way go on at the next start.\n');
    await expect(access(lock)).rejects.toThrow('ENOENT');
  },
);
