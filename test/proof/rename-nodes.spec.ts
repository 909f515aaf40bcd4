// Renames every node of examples in the workflow, tests and cassettes: the tests give the same results.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renameNodeInFiles, type NodeRenameFiles } from '../../src-main/domain/authoring/edit/rename-node.ts';
import { applyChanges, type TextChange } from '../../src-main/domain/authoring/edit/text-changes.ts';
import { outlineOf } from '../../src-main/domain/workflow/outline.ts';
import { runCli } from '../builders/run-cli.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const withChanges = (texts: readonly string[], changes: readonly (readonly TextChange[])[]): string[] =>
  texts.map((text, index) => applyChanges(text, changes[index] ?? []));

/** The texts after each node of the workflow has another id. */
function withNewIds(files: NodeRenameFiles): NodeRenameFiles {
  const { nodes } = outlineOf(files.workflow);
  return nodes
    .flatMap((node) => [...(node.body?.nodes ?? []), node])
    .reduce((before, { id }) => {
      const renamed = renameNodeInFiles(before, { id, newId: `${id.replace(/^.*\//, '')}_renamed` });
      if (renamed.refusal !== undefined) throw new Error(`${id}: ${renamed.refusal.reason}`);
      expect(renamed.unclearLines).toEqual([]);
      return {
        workflow: applyChanges(before.workflow, renamed.workflow),
        tests: withChanges(before.tests, renamed.tests),
        cassettes: withChanges(before.cassettes, renamed.cassettes),
      };
    }, files);
}

it('the tests of examples pass after all their nodes were renamed', async () => {
  const cwd = await temporaryFolder();
  await cp('examples', cwd, { recursive: true });
  const { stdout: before } = await runCli(['test'], { cwd });
  const names = await readdir(cwd);
  // Tests of the workflow that calls this one name its nodes too: they are another workflow's.
  const workflows = names.filter((each) => /(?<!^postal-zones)\.workflow\.yaml$/.test(each));
  for (const name of workflows) {
    const start = name.replace('workflow.yaml', '');
    const filesWith = (ending: string) =>
      names.filter((each) => each.startsWith(start) && each.endsWith(ending));
    const read = (each: string) => readFile(join(cwd, each), 'utf8');
    const [tests, cassettes] = [filesWith('.tests.yaml'), filesWith('.cassette.json')];
    const renamed = withNewIds({
      workflow: await read(name),
      tests: await Promise.all(tests.map(read)),
      cassettes: await Promise.all(cassettes.map(read)),
    });
    expect(renamed.workflow).toContain('_renamed');
    await writeFile(join(cwd, name), renamed.workflow);
    for (const [index, each] of tests.entries()) await writeFile(join(cwd, each), renamed.tests[index] ?? '');
    for (const [index, each] of cassettes.entries())
      await writeFile(join(cwd, each), renamed.cassettes[index] ?? '');
  }
  const { code, stdout } = await runCli(['test'], { cwd });
  expect(stdout).toBe(before);
  expect(code).toBe(0);
}, 120_000);
