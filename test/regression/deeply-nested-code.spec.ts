// A few kilobytes of nested code once aborted the process that parsed them: `rowbench validate`, a server whose folder
// they came into, every start with them, and the server that was asked what an import would bring.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nestedExpressions, nestedStatements } from '../builders/nested-code.ts';
import { runCli } from '../builders/run-cli.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const depths = [10, 30, 100, 300, 600, 1000, 3000, 10_000, 20_000];
const tooDeep = 'The code is nested too deeply';
const maxMs = 150_000;

const head = (id: string): string => `rowbench: 1\nid: ${id}\nnodes:\n  - { id: input, type: input }\n`;
const block = (text: string): string => `|-\n          ${text}\n`;

const slots = {
  expression: (code: string) =>
    `${head('x')}  - id: out\n    type: output\n    fields:\n      a: ${block(`=${code}`)}`,
  template: (code: string) =>
    `${head('x')}  - id: out\n    type: output\n    fields:\n      a: ${block(`x {{ ${code} }} y`)}`,
  code: (code: string) =>
    `${head('x')}  - id: c\n    type: code\n    code: ${block(code)}  - { id: out, type: output, fields: { a: "=nodes.c" } }\n`,
} as const;

type Slot = keyof typeof slots;
type Checked = {
  readonly files: readonly { readonly file: string; readonly issues: { message: string }[] }[];
};

const inBody = Object.entries(nestedExpressions).map(
  ([name, nested]) => [name, (depth: number): string => `return ${nested(depth)};`] as const,
);
const forms: Record<Slot, readonly (readonly [string, (depth: number) => string])[]> = {
  expression: Object.entries(nestedExpressions),
  template: Object.entries(nestedExpressions),
  code: [...inBody, ...Object.entries(nestedStatements)],
};

/** Messages of `rowbench validate` by form and depth. Each process checks a few forms at all depths. */
async function validate(slot: Slot): Promise<Map<string, readonly string[]>> {
  const messages = new Map<string, readonly string[]>();
  const left = [...forms[slot]];
  while (left.length > 0) {
    const folder = await temporaryFolder();
    const names = new Map<string, string>();
    for (const [name, nested] of left.splice(0, 12))
      for (const depth of depths) {
        const file = join(folder, `f${names.size}.workflow.yaml`);
        names.set(file, `${name} ${depth}`);
        await writeFile(file, slots[slot](nested(depth)));
      }
    const { code, stdout, stderr } = await runCli(['validate', '--json', folder]);
    expect([0, 1], stderr).toContain(code);
    for (const { file, issues } of (JSON.parse(stdout) as Checked).files)
      messages.set(
        names.get(file) ?? file,
        issues.map(({ message }) => message),
      );
  }
  return messages;
}

describe('deeply nested code', () => {
  it.each(['expression', 'template', 'code'] as const)(
    'is read or refused in every form and at any depth, as %s',
    async (slot) => {
      const messages = await validate(slot);
      expect(messages.size).toBe(forms[slot].length * depths.length);
      const odd = [...messages].filter(([name, found]) => {
        const depth = Number(name.split(' ').at(-1));
        const expected = depth <= 30 ? [[]] : depth >= 1000 ? [[tooDeep]] : [[], [tooDeep]];
        return !expected.some((each) => JSON.stringify(each) === JSON.stringify(found));
      });
      expect(odd).toEqual([]);
    },
    maxMs,
  );
});

const hostile = (name: string): string => slots.expression(nestedExpressions[name]?.(600) ?? '');
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
