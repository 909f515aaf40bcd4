// Deeply nested code in every form, at any depth and wherever a file may have code is read, or refused with one message.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nestedExpressions, nestedStatements } from '../builders/nested-code.ts';
import { runCli } from '../builders/run-cli.ts';
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

it.each(['expression', 'template', 'code'] as const)(
  'deeply nested code is read or refused in every form and at any depth, as %s',
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
