// Renames every field of the input and of the output of examples, in workflow, tests and files of rows: the tests pass.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isJsonObject, type JsonValue } from '../../src-main/base/json-value.ts';
import {
  renameFieldInFiles,
  type FieldRename,
  type FieldRenameFiles,
} from '../../src-main/domain/authoring/edit/rename-field.ts';
import { applyChanges } from '../../src-main/domain/authoring/edit/text-changes.ts';
import { parseWorkflow } from '../../src-main/domain/workflow/parse-workflow.ts';
import { runCli } from '../builders/run-cli.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

/** Fields of the input and the output that are named in the file. */
function fieldsIn(text: string): readonly Omit<FieldRename, 'newName'>[] {
  const nodes = parseWorkflow(text).workflow?.nodes ?? [];
  return nodes.flatMap((node): readonly Omit<FieldRename, 'newName'>[] => {
    if (node.type === 'input') return (node.config.fields ?? []).map(([name]) => ({ of: node.type, name }));
    if (node.type !== 'output' || node.config.fields.kind !== 'object') return [];
    return node.config.fields.entries.map(([name]) => ({ of: node.type, name }));
  });
}

type Renamed = { readonly files: FieldRenameFiles; readonly names: readonly FieldRename[] };

/** Renames all fields that can be renamed. */
const withNewNames = (files: FieldRenameFiles): Renamed =>
  fieldsIn(files.workflow).reduce<Renamed>(
    (before, field) => {
      const rename = { ...field, newName: `${field.name}_renamed` };
      const result = renameFieldInFiles(before.files, rename);
      if (result.refusal !== undefined || result.unclearLines.length > 0) return before;
      const tests = before.files.tests.map((text, index) => applyChanges(text, result.tests[index] ?? []));
      const workflow = applyChanges(before.files.workflow, result.workflow);
      return { files: { workflow, tests }, names: [...before.names, rename] };
    },
    { files, names: [] },
  );

const newNameOf = (key: string, of: FieldRename['of'], renames: readonly FieldRename[]): string =>
  renames.find((each) => each.of === of && each.name === key)?.newName ?? key;

const withKeys = (rows: JsonValue, of: FieldRename['of'], names: readonly FieldRename[]): JsonValue =>
  Array.isArray(rows)
    ? (rows as readonly JsonValue[]).map((row) =>
        isJsonObject(row)
          ? Object.fromEntries(Object.entries(row).map(([key, value]) => [newNameOf(key, of, names), value]))
          : row,
      )
    : rows;

it('the tests of examples pass after their fields were renamed', async () => {
  const cwd = await temporaryFolder();
  await cp('examples', cwd, { recursive: true });
  const names = await readdir(cwd);
  const read = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');
  let count = 0;
  // Workflows that call each other name fields of each other.
  for (const name of names.filter((each) =>
    /(?<!postal-zones|delivery-quotes|chat-replies|reply-judge)\.workflow\.yaml$/.test(each),
  )) {
    const start = name.replace('workflow.yaml', '');
    const tests = names.filter((each) => each.startsWith(start) && each.endsWith('.tests.yaml'));
    const { files, names: renames } = withNewNames({
      workflow: await read(name),
      tests: await Promise.all(tests.map(read)),
    });
    count += renames.length;
    await writeFile(join(cwd, name), files.workflow);
    for (const [index, each] of tests.entries()) await writeFile(join(cwd, each), files.tests[index] ?? '');
    const table = `${start}rows.csv`;
    if (names.includes(table)) {
      const [header = '', ...lines] = (await read(table)).split('\n');
      const cells = header.split(',').map((cell) => newNameOf(cell, 'input', renames));
      await writeFile(join(cwd, table), [cells.join(','), ...lines].join('\n'));
    }
    for (const [ending, of] of [
      ['rows.json', 'input'],
      ['expected.json', 'output'],
    ] as const) {
      const path = join(cwd, `${start}${ending}`);
      if (!names.includes(`${start}${ending}`)) continue;
      const rows = JSON.parse(await readFile(path, 'utf8')) as JsonValue;
      await writeFile(path, JSON.stringify(withKeys(rows, of, renames)));
    }
  }
  expect(count).toBeGreaterThan(20);
  const { code, stdout } = await runCli(['test'], { cwd });
  expect(stdout).not.toContain('FAIL');
  expect(code).toBe(0);
}, 120_000);
