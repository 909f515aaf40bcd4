// Test rows of a draft in their grid: changes become steps of the text, and the grid follows the texts.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { EditorQuestion, JsonObject } from '../../../../../src-main/contract/index.ts';
import { nodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import {
  changeColumn,
  insertColumn,
  moveColumns,
  removeColumns,
} from '../../../../../src-renderer/state/entry/grid/column-edits.ts';
import { pasteText } from '../../../../../src-renderer/state/entry/grid/paste.ts';
import { removeRows, setCell } from '../../../../../src-renderer/state/entry/grid/row-edits.ts';
import { TestRows } from '../../../../../src-renderer/state/workflow/files/test-rows.svelte.ts';
import { openSession } from './open-session.ts';
import type { ServedTexts } from './text-server.ts';

const own = 'leads.workflow.yaml';
const textWith = (testRows: string): string =>
  `rowbench: 1\nid: leads\nnodes:\n  - id: input\n    type: input\n    fields: { n: { type: number } }\n${testRows}`;

function answerOf({ name, input }: EditorQuestion, { [own]: text = '' }: ServedTexts): unknown {
  if (name === 'edit') return editWorkflow(text, input.edits);
  if (name === 'form') return nodeForm(text, input.nodeId ?? null);
  const nodes = nodeForm(text, 'input').kind === 'form' ? [{ id: 'input', type: 'input' }] : [];
  return name === 'check' ? { nodes, edges: [], edgesLeftOut: 0, issues: [], sidecars: {} } : undefined;
}

/** A server that has the rows as those of the saved workflow. */
const serverOf = (saved: readonly JsonObject[]) => ({
  download: () =>
    Promise.resolve(new Blob(saved.map((row, at) => `${JSON.stringify([at + 1, row])}\n`)).stream()),
});

type Opened = { readonly texts: ServedTexts; readonly isEditor?: boolean; readonly saved?: JsonObject[] };

async function open({ texts, isEditor = true, saved = [] }: Opened) {
  const { session } = await openSession(texts, answerOf, isEditor);
  onTestFinished(() => session.close());
  await vi.waitFor(() => expect(session.checked).toBeDefined());
  const server = serverOf(saved);
  const rows = new TestRows({ server, workflowId: 'leads', session });
  await rows.follow([]);
  return {
    session,
    rows,
    server,
    /** Resolves once the next change would be another step. */
    set: (row: number, column: number, cell: number | string) =>
      Promise.resolve(rows.sheet.apply(setCell(rows.sheet, { row, column }, cell))),
    text: async (name = own) => {
      await session.flush();
      return session.textOf(name);
    },
  };
}

const commented = textWith(
  '    testRows:\n      - { n: 1 } # the usual\n      - n: 2 # rare\n        s: b\n',
);

it('a cell is one step of the text, which keeps its comments', async () => {
  const { session, rows, set, text } = await open({ texts: { [own]: commented } });
  expect(rows.sheet.toRows()).toEqual([{ n: 1 }, { n: 2, s: 'b' }]);
  await set(0, 0, 5);
  await set(1, 1, 'c');
  const edited = commented.replace('n: 1', 'n: 5').replace('s: b', 's: c');
  expect(await text()).toBe(edited);
  // Undo waits for the changes before it.
  void set(0, 0, 6);
  rows.sheet.undo();
  expect(await text()).toBe(edited);
  session.undo();
  expect(await text()).toBe(commented.replace('n: 1', 'n: 5'));
  await rows.follow([]);
  expect(rows.sheet.toRows()).toEqual([{ n: 5 }, { n: 2, s: 'b' }]);
  rows.sheet.redo();
  expect(await text()).toBe(edited);
});

it('an input node without test rows gets pasted ones, and a value that does not fit is a problem', async () => {
  const { rows, text } = await open({ texts: { [own]: textWith('') } });
  const pasted = pasteText(
    rows.sheet,
    { top: 0, bottom: 0, left: 0, right: 0 },
    { text: 'n\n1\nmany', copied: undefined },
  );
  rows.sheet.apply(pasted);
  expect(await text()).toContain('    testRows:\n      - { n: 1 }\n      - { n: many }\n');
  expect(rows.sheet.problemCount).toBe(1);
  rows.sheet.apply(removeRows(rows.sheet, { top: 0, bottom: 1, left: 0, right: 0 }));
  expect(await text()).toContain('testRows: []');
});

it('rows of a file change in its text, and follow it', async () => {
  const texts = { [own]: textWith('    testRows: rows.csv\n'), 'rows.csv': 'n,s\r\n1.0,a\r\n2,b\r\n' };
  const { session, rows, set, text } = await open({ texts });
  expect([rows.file, rows.sheet.rowCount]).toEqual(['rows.csv', 2]);
  void set(1, 1, 'x,y');
  expect(await text('rows.csv')).toBe('n,s\r\n1.0,a\r\n2,"x,y"\r\n');
  const changes = session.file('rows.csv')?.differenceTo('n,s\n7,z\n') ?? [];
  await session.applyToFiles([{ name: 'rows.csv', changes }], 'Other rows');
  await rows.follow([]);
  expect(rows.sheet.toRows()).toEqual([{ n: 7, s: 'z' }]);
});

it('columns of a file are those of the grid', async () => {
  const texts = { [own]: textWith('    testRows: rows.csv\n'), 'rows.csv': 's,n\n"a",\n' };
  const { rows, set, text } = await open({ texts });
  const { sheet } = rows;
  const range = (at: number) => ({ top: 0, bottom: 0, left: at, right: at });
  sheet.apply(insertColumn(sheet, 1));
  expect(await text('rows.csv')).toBe('s,column 3,n\n"a",,\n');
  await set(0, 1, '5');
  expect(await text('rows.csv')).toBe('s,column 3,n\n"a",5,\n');
  sheet.apply(changeColumn(sheet, 1, { name: 't', type: 'string' }));
  expect(await text('rows.csv')).toBe('s,t,n\n"a",5,\n');
  sheet.apply(moveColumns(sheet, range(1), 1));
  expect(await text('rows.csv')).toBe('s,n,t\n"a",,5\n');
  expect(sheet.columns.map(({ name }) => name)).toEqual(['s', 'n', 't']);
  sheet.apply(removeColumns(sheet, range(2)));
  expect(await text('rows.csv')).toBe('s,n\n"a",\n');
  expect(sheet.columns.map(({ name }) => name)).toEqual(['s', 'n']);
  sheet.undo();
  expect(await text('rows.csv')).toBe('s,n,t\n"a",,5\n');
  await rows.follow([]);
  expect(sheet.columns.map(({ name }) => name)).toEqual(['s', 'n', 't']);
});

it('a change that the file cannot hold is taken back, and said', async () => {
  const texts = { [own]: textWith('    testRows: rows.json\n'), 'rows.json': '{"rows":[{"n":1}]}' };
  const { rows, set, text } = await open({ texts });
  void set(0, 0, 2);
  expect(await text('rows.json')).toBe('{"rows":[{"n":1}]}');
  expect(rows.problem).toBe('rows.json cannot hold this change: make it in the text of the file.');
  expect(rows.sheet.toRows()).toEqual([{ n: 1 }]);
});

it('a change of the text at the same moment is not overwritten, whatever waits in the grid', async () => {
  const { session, rows, set, text } = await open({ texts: { [own]: commented } });
  const outside = commented.replace('s: b', 's: c');
  await set(0, 0, 5);
  session.replace(outside, 'Another change');
  void set(1, 0, 7);
  expect(await text()).toBe(outside);
  expect(rows.problem).toBe('The test rows changed at the same moment: try again.');
  expect(rows.sheet.toRows()).toEqual([{ n: 1 }, { n: 2, s: 'c' }]);
  // The check of that change does not hide why the values are gone; the next change does.
  await rows.follow([]);
  expect(rows.problem).toBeDefined();
  await set(1, 0, 7);
  expect(await text()).toBe(outside.replace('n: 2', 'n: 7'));
  expect(rows.problem).toBeUndefined();
});

it('rows of a broken text are only to look at until it is fixed', async () => {
  const { session, rows, set, text } = await open({ texts: { [own]: commented } });
  const broken = commented.replace('id: leads', 'id: leads: x');
  session.replace(broken, 'Break');
  await set(0, 0, 5);
  expect(await text()).toBe(broken);
  expect([rows.problem, rows.reason, rows.sheet.isReadOnly]).toEqual([
    'Fix line 2 first',
    'Fix line 2 first',
    true,
  ]);
  session.undo();
  await rows.follow([]);
  expect([rows.problem, rows.sheet.isReadOnly]).toEqual([undefined, false]);
  await set(0, 0, 5);
  expect(await text()).toBe(commented.replace('n: 1', 'n: 5'));
});

it.each(['5', '[1]'])('test rows that are %s are a mistake of the text', async (testRows) => {
  const { rows } = await open({ texts: { [own]: textWith(`    testRows: ${testRows}\n`) } });
  expect(rows.problem).toBe(
    'Test rows are a list of objects, or the name of a file: correct them in the text.',
  );
});

it('outdated reads are skipped, and a save waits for none', async () => {
  const texts = { [own]: textWith('    testRows: rows.xlsx\n') };
  const { session, rows, server } = await open({ texts, saved: [{ n: 3 }] });
  const download = vi.spyOn(server, 'download');
  await Promise.all([rows.follow([]), rows.follow([]), rows.follow([])]);
  expect(download).toHaveBeenCalledTimes(1);
  download.mockReturnValue(new Promise(() => undefined));
  void rows.follow([]);
  await vi.waitFor(() => expect(download).toHaveBeenCalledTimes(2));
  await session.flush();
});

it('rows that are not edited here are only to look at', async () => {
  const other = await open({ texts: { [own]: commented }, isEditor: false });
  expect([other.rows.reason, other.rows.sheet.isReadOnly]).toEqual([
    'Another window edits this workflow.',
    true,
  ]);
  await other.set(0, 0, 9);
  expect(other.rows.sheet.toRows()).toEqual([{ n: 1 }, { n: 2, s: 'b' }]);
  expect(await other.text()).toBe(commented);

  const saved = [{ n: 3 }];
  const sheet = textWith('    testRows: rows.xlsx\n');
  const workbook = await open({ texts: { [own]: sheet }, saved });
  expect(workbook.rows.reason).toBe(
    'The editor does not have this file: change its rows in another program.',
  );
  // Their types are those of the draft.
  expect(workbook.rows.sheet.columns).toMatchObject([{ name: 'n', type: 'number' }]);
  const viewer = new TestRows({ server: serverOf(saved), workflowId: 'leads', session: undefined });
  await viewer.follow([{ name: 'n', type: 'number', required: true }]);
  expect([viewer.sheet.toRows(), viewer.sheet.isReadOnly, viewer.sheet.columns.length]).toEqual([
    saved,
    true,
    1,
  ]);
});
