// A few kilobytes of nested code once aborted the process that parsed them: `rowbench validate`, a server whose folder
// they came into, every start with them, and the server that was asked what an import would bring. test/proof/nested-code
// has all forms at all depths.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nestedExpressions } from '../builders/nested-code.ts';
import { runCli } from '../builders/run-cli.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const tooDeep = 'The code is nested too deeply';

const head = (id: string): string => `rowbench: 1\nid: ${id}\nnodes:\n  - { id: input, type: input }\n`;

const hostile = (name: string): string =>
  `${head('x')}  - id: out\n    type: output\n    fields:\n      a: |-\n          =${nestedExpressions[name]?.(600) ?? ''}\n`;
const good = `${head('good')}  - { id: out, type: output, fields: { n: "=row.n" } }\n`;

async function serve(
  files: Readonly<Record<string, string>>,
): Promise<{ server: ServerProcess; folder: string; dataDir: string }> {
  const home = await temporaryFolder();
  const folder = join(home, 'flows');
  const dataDir = join(home, 'data');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const server = await startServerProcess({ dataDir, workflows: folder });
  onTestFinished(() => server.stop());
  return { server, folder, dataDir };
}

const trigger = async (server: ServerProcess, id: string): Promise<number> => {
  const response = await fetch(`${server.url}/api/v1/workflows/${id}/runs/async`, {
    method: 'POST',
    headers: { 'x-service-key': testKey, 'content-type': 'application/json' },
    body: '{"rows":[{"n":1}]}',
  });
  await response.text();
  return response.status;
};

describe.each(['templates', 'computed members'])('a file of 600 nested %s', (name) => {
  it('leaves a server running whose folder it comes into', async () => {
    const { server, folder } = await serve({ 'good.workflow.yaml': good });
    await writeFile(join(folder, 'bad.workflow.yaml'), hostile(name).replace('id: x', 'id: bad'));
    expect(await trigger(server, 'bad')).toBe(422);
    expect(await trigger(server, 'good')).toBe(201);
  });

  it('lets a server start', async () => {
    const { server } = await serve({ 'a.workflow.yaml': hostile(name), 'good.workflow.yaml': good });
    expect(await trigger(server, 'good')).toBe(201);
  });

  it('leaves the server running that looks into an import of it', async () => {
    const { server, dataDir } = await serve({ 'good.workflow.yaml': good });
    const file = join(await temporaryFolder(), 'x.workflow.yaml');
    await writeFile(file, hostile(name));
    const { code, stderr } = await runCli(['import', file, '--data', dataDir]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(tooDeep);
    expect(await trigger(server, 'good')).toBe(201);
  });
});
