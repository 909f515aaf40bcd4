// The tests of a draft: with the texts of the editor, offline, the newest request alone, and whatever the draft does.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DraftTestsView, QuestionInput, WorkflowEdit } from '../../../src-main/contract/index.ts';
import { applyChanges } from '../../../src-main/domain/authoring/edit/text-changes.ts';
import { askAbout, askAboutText, fileWith } from '../../builders/editor-window.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';
import { startUpstream } from '../../builders/upstream-server.ts';

const flow = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }] }
  - { id: double, type: code, code: "return row.n * 2;" }
  - { id: result, type: output, fields: { n: =nodes.double } }
`;
const tests = `rowbench: 1
tests:
  - name: one is two
    rows: [{ n: 1 }]
    expect: { status: completed, rows: [{ n: 2 }] }
  - name: many are doubled
    rows: rows.json
    expect: { status: completed, rows: [${Array.from({ length: 15 }, (_, at) => `{ n: ${2 * at} }`).join(', ')}] }
`;
const rows = Array.from({ length: 15 }, (_, n) => ({ n }));

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ workflows: { flow } });
  const folder = join(app.dataDir, 'workflows');
  await writeFile(join(folder, 'flow.tests.yaml'), tests);
  await writeFile(join(folder, 'rows.json'), JSON.stringify(rows));
});
afterAll(() => app.close());

const superseded: DraftTestsView = { files: [], passed: 0, failed: 0, ms: 0, superseded: true };

async function runDraft(
  texts: Readonly<Record<string, string>>,
  more: QuestionInput<'tests'> = {},
): Promise<DraftTestsView> {
  const files = Object.entries({ 'flow.workflow.yaml': flow, ...texts });
  const drafts = files.map(([name, text]) => fileWith(name, text));
  return (await askAbout(app.handlers, 'flow', drafts, 'tests', more)) ?? superseded;
}
const draft = (text: string) => runDraft({ 'flow.workflow.yaml': text });
const states = ({ files }: DraftTestsView) =>
  files.flatMap(({ results }) => results.map(({ status }) => status));
const broken = flow.replace('row.n * 2', 'row.n > 11 ? 0 : row.n * 2');

describe('tests of a draft', () => {
  it('use its texts in place of the files, and name the row that differs', async () => {
    expect(await draft(flow)).toMatchObject({ passed: 2, failed: 0 });
    const view = await draft(broken);
    expect(states(view)).toEqual(['passed', 'failed']);
    expect(view.files[0]).toMatchObject({ name: 'flow.tests.yaml', issues: [] });
    expect(view.files[0]?.results[1]).toMatchObject({ row: 13, line: 6 });
    const changed = tests.replace('[{ n: 2 }]', '[{ n: 3 }]');
    expect(states(await runDraft({ 'flow.tests.yaml': changed }))).toEqual(['failed', 'passed']);
    const added = await runDraft({ 'flow.more.tests.yaml': tests });
    expect(added.files.map(({ name }) => name)).toEqual(['flow.more.tests.yaml', 'flow.tests.yaml']);
  });

  // The rows were read from the disk, so a draft of them that could not be read passed "with the draft".
  it('use the rows of the draft, and break where these cannot be read', async () => {
    const changed = await runDraft({ 'rows.json': JSON.stringify(rows.toReversed()) });
    expect(states(changed)).toEqual(['passed', 'failed']);
    const unreadable = await runDraft({ 'rows.json': '[{ "n": 1 },' });
    expect(states(unreadable)).toEqual(['passed', 'broken']);
    expect(JSON.stringify(unreadable.files[0]?.results[1])).toContain('rows.json');
  });

  it('of a broken text have its issues, and no results', async () => {
    const view = await draft(flow.replace('row.n * 2;', 'row.n *;'));
    expect(view.files[0]).toMatchObject({ tests: [], results: [] });
    expect(view.files[0]?.issues[0]).toMatchObject({ line: 5 });
  });

  it('ignore names that are no files of the workflow', async () => {
    const view = await runDraft({ '../flow.tests.yaml': '[', 'other.tests.yaml': '[' });
    expect(view).toMatchObject({ passed: 2, failed: 0 });
  });

  it('that never end stop at their node, and the next draft is tested', async () => {
    const view = await draft(flow.replace('return row.n * 2;', 'while (true);'));
    expect(view.isStopped).toBe(true);
    expect(states(view)).toEqual(['failed']);
    expect(view.files[0]?.tests).toHaveLength(2);
    expect(JSON.stringify(view.files[0]?.results)).toContain('time limit of 250 ms');
    expect(await draft(flow)).toMatchObject({ passed: 2, failed: 0 });
  });

  // A request whose workflow was read late stopped a newer one.
  it('are stopped by those of a newer text', async () => {
    const views = await Promise.all([
      draft(flow.replace('return row.n * 2;', 'while (true);')),
      draft(broken),
      draft(flow),
    ]);
    expect(views.map(({ superseded }) => superseded)).toEqual([true, true, undefined]);
    expect(views[2]).toMatchObject({ passed: 2, failed: 0 });
  });

  it('pass as before once an expression is extracted, and inlined again', async () => {
    const from = flow.indexOf('row.n');
    const edited = async (text: string, edit: WorkflowEdit): Promise<string> => {
      const draftText = { workflowId: 'flow', text };
      const { changes } = await askAboutText(app.handlers, draftText, 'edit', { edits: [edit] });
      return applyChanges(text, changes ?? []);
    };
    const extracted = await edited(flow, { kind: 'extract', from, to: from + 5, newId: 'number' });
    expect(extracted).toContain('code: "return nodes.number.value * 2;"');
    expect(await draft(extracted)).toMatchObject({ passed: 2, failed: 0 });
    expect(await edited(extracted, { kind: 'inline', id: 'number' })).toBe(flow);
  });

  it('never call a service', async () => {
    const upstream = await startUpstream();
    const calling = flow.replace(
      '{ id: double, type: code, code: "return row.n * 2;" }',
      `{ id: double, type: http, request: { url: ${upstream.url('/leak')} } }`,
    );
    expect(states(await draft(calling))).toEqual(['broken', 'broken']);
    expect(upstream.calls).toEqual([]);
  });

  it('have workers of their own if the user asks to run them to the end', async () => {
    const view = await runDraft({ 'flow.workflow.yaml': broken }, { isPatient: true });
    expect(states(view)).toEqual(['passed', 'failed']);
    expect(view.isStopped).toBeUndefined();
  });
});

describe('failed tests of a draft', () => {
  const failing = `rowbench: 1
tests:
  - name: doubles # by Ada
    rows: [{ n: 1 }, { n: 2 }]
    expect:
      status: completed
      rows:
        - { n: 3 } # one
        - { n: 5, m: 1 } # two
  - name: is scored
    rows: [{ n: 1 }, { n: 2 }]
    expect: { status: completed, score: { expression: "output.n / 10", atLeast: 0.3 } }
`;
  const files = [fileWith('flow.workflow.yaml', flow), fileWith('flow.tests.yaml', failing)];
  const update = async (input: QuestionInput<'updateTests'>): Promise<string> => {
    const updated = await askAbout(app.handlers, 'flow', files, 'updateTests', input);
    expect(updated?.files.map(({ name }) => name)).toEqual(['flow.tests.yaml']);
    return updated?.files[0]?.text ?? '';
  };
  const doubles = { name: 'flow.tests.yaml', line: 3 };

  it('expect one value, one row or all that came, and every other byte stays', async () => {
    const second = await update({ test: doubles, part: { row: 2, path: ['n'] } });
    expect(second).toBe(failing.replace('n: 5', 'n: 4'));
    const gone = await update({ test: doubles, part: { row: 2, path: ['m'] } });
    expect(gone).toBe(failing.replace(', m: 1', ''));
    const row = await update({ test: doubles, part: { row: 1, path: [] } });
    expect(row).toBe(failing.replace('n: 3', 'n: 2'));
    for (const input of [{}, { test: doubles }]) {
      const all = await update(input);
      const [first] = (await runDraft({ 'flow.tests.yaml': all })).files[0]?.results ?? [];
      expect([first?.status, all.includes('doubles # by Ada')]).toEqual(['passed', true]);
    }
  });

  it('name the parts that can be expected, and the scores beside their bound', async () => {
    const { files: tested } = await runDraft({ 'flow.tests.yaml': failing });
    const [first, second] = tested.flatMap(({ results }) => results);
    const parts = first?.lines.flatMap(({ part }) => (part === undefined ? [] : [part]));
    expect(parts).toEqual([
      { row: 1, path: [] },
      { row: 1, path: ['n'] },
      { row: 2, path: [] },
      { row: 2, path: ['n'] },
      { row: 2, path: ['m'] },
    ]);
    expect(first?.isUpdatable).toBe(true);
    expect(second).toMatchObject({
      status: 'failed',
      scores: {
        atLeast: 0.3,
        rows: [
          { row: 1, score: 0.2 },
          { row: 2, score: 0.4 },
        ],
        more: 0,
      },
    });
    expect(second?.isUpdatable).toBeUndefined();
  });

  it('go through faults that the user tries on all of them, or that one has', async () => {
    const faulty = await runDraft({}, { faults: 'fail-row=1' });
    expect(states(faulty)).toEqual(['failed', 'failed']);
    const edit = { name: 'flow.tests.yaml', line: 3, key: 'scenario', value: 'fail-row=2' } as const;
    const edited = await askAbout(app.handlers, 'flow', files, 'editTest', edit);
    const text = applyChanges(failing, edited?.changes ?? []);
    expect(text).toBe(failing.replace('    expect:\n', '    scenario: fail-row=2\n    expect:\n'));
    const view = await runDraft({ 'flow.tests.yaml': text });
    expect(view.files[0]?.tests[0]).toEqual({ name: 'doubles', line: 3, scenario: 'fail-row=2' });
    const removed = await askAbout(
      app.handlers,
      'flow',
      [fileWith('flow.workflow.yaml', flow), fileWith('flow.tests.yaml', text)],
      'editTest',
      { ...edit, value: null },
    );
    expect(applyChanges(text, removed?.changes ?? [])).toBe(failing);
    const elsewhere = await askAbout(app.handlers, 'flow', files, 'editTest', { ...edit, line: 4 });
    expect(elsewhere?.refusal?.reason).toContain('There is no such test now');
    await expect(runDraft({}, { faults: 'rain=1' })).rejects.toThrow('there is no "rain"');
  });
});

describe('rows of a test', () => {
  const rowsOf = (line: number, row?: number) =>
    askAboutText(app.handlers, { workflowId: 'flow', text: broken }, 'testRows', {
      name: 'flow.tests.yaml',
      line,
      row,
    });

  it('are its first ones, or begin with the row that is asked for', async () => {
    expect(await rowsOf(3)).toEqual({ rows: [{ n: 1 }], firstRow: 1, mocks: {} });
    expect(await rowsOf(6, 2)).toMatchObject({ rows: rows.slice(0, 10), firstRow: 1 });
    expect(await rowsOf(6, 13)).toMatchObject({ rows: rows.slice(12), firstRow: 13 });
    await expect(rowsOf(4)).rejects.toThrow('There is no test in line 4 of flow.tests.yaml');
  });

  it('are previewed with the mocks and the numbers of the test', async () => {
    const mocked = broken.replace(
      /\{ id: double.*/,
      '{ id: double, type: code, code: return 1;, mock: { a: 6, b: 7 } }',
    );
    const preview = await askAboutText(app.handlers, { workflowId: 'flow', text: mocked }, 'preview', {
      rows: { of: 'rows', rows: [{ n: 12 }], firstRow: 13, mocks: { double: 'b' } },
      mode: 'mocks',
    });
    expect(preview.rows.map(({ number, output }) => [number, output?.text])).toEqual([[13, '{"n":7}']]);
  });
});
