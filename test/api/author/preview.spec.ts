// Previews of drafts: what nodes give for a few rows, from the text in an editor alone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import {
  draftFlow,
  nodeOf,
  plainDraft,
  previewDraft,
  statesOf,
  textsOf,
} from '../../builders/draft-preview.ts';
import { fileWith } from '../../builders/editor-window.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { storedRuns } from '../../builders/stored-runs.ts';

describe('a preview', () => {
  it('shows the value of each node for the test rows of the draft, without a run', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const shown = await previewDraft(services, plainDraft.replace('* 2', '* 10'));
    expect(shown.issues).toEqual([]);
    expect(textsOf(shown.rows, 'double')).toEqual(['{"n":10}', '{"n":20}', '{"n":30}']);
    expect(shown.rows.map(({ output }) => output)).toEqual(
      ['10', '20', '30'].map((n) => ({ kind: 'object', text: `{"n":${n}}` })),
    );
    expect(await storedRuns(services.dataDir)).toEqual([]);
  });

  it('shows a row made of the fields of a draft that has no test rows', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const draft = plainDraft.replace(
      'testRows: [{ n: 1 }, { n: 2 }, { n: 3 }]',
      'fields: { n: { type: number } }',
    );
    const { rows, issues, isSampleRow } = await previewDraft(services, draft);
    expect(issues).toEqual([]);
    expect(statesOf(rows, 'double')).toEqual(['done']);
    expect(isSampleRow).toBe(true);
    // Rows of the last run are better than one that is made up.
    const workflow = await services.workflows.find('flow');
    if (workflow === undefined) throw new Error('no workflow');
    const run = await services.runs.beginRun({ workflow, origin: { kind: 'app' }, inputs: {} });
    await run.write(Buffer.from('{"n":4}\n{"n":5}\n'));
    const { runId } = await run.accept(2);
    const ran = await previewDraft(services, draft);
    expect(ran).toMatchObject({ ofRun: runId });
    expect(ran).not.toHaveProperty('isSampleRow');
    expect(textsOf(ran.rows, 'double')).toEqual(['{"n":8}', '{"n":10}']);
    expect(await previewDraft(services, plainDraft)).not.toHaveProperty('isSampleRow');
  });

  it('shows how nodes ended, each error with its line', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const draft = draftFlow(`  - { id: odd, type: set, when: row.n % 2 === 1, values: { yes: true } }
  - { id: next, type: set, when: nodes.odd?.yes && row.n.toFixed() !== '1', each: '[row.n, 7]', values: { yes: =item } }
  - { id: safe, type: set, values: { x: =row.gone.x }, onError: { value: { x: 0 } } }
  - id: bad
    type: set
    values:
      ok: 1
      x: '=row.n === 2 ? row.missing.name : 1'
  - { id: result, type: output, fields: { x: =nodes.bad.x } }`);
    const { rows, issues } = await previewDraft(services, draft);
    expect(issues).toEqual([]);
    expect(statesOf(rows, 'odd')).toEqual(['done', 'skipped', 'done']);
    expect(nodeOf(rows, 'odd').map(({ reason }) => reason)).toEqual([undefined, 'row.n is 2', undefined]);
    expect(nodeOf(rows, 'next').map(({ reason, items }) => reason ?? items)).toEqual([
      'odd.yes is true, row.n is 1',
      'odd.yes has no value, row.n is 2',
      2,
    ]);
    expect(statesOf(rows, 'safe')).toEqual(['replaced', 'replaced', 'replaced']);
    expect(statesOf(rows, 'bad')).toEqual(['done', 'failed', 'done']);
    expect(statesOf(rows, 'result')).toEqual(['done', 'notReached', 'done']);
    expect(rows[1]?.error).toMatchObject({ nodeId: 'bad', line: 12 });
    expect(rows[1]?.output).toBeUndefined();
  });

  it('shows the beginning of large values, and the whole on request', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const draft = plainDraft.replace('=row.n * 2', `"=String(row.n).repeat([0, 5000, 50000, 1][row.n])"`);
    const { rows } = await previewDraft(services, draft);
    const [first, second] = nodeOf(rows, 'double');
    expect(first?.value).toMatchObject({ kind: 'object', length: 5008 });
    expect(first?.value?.text).toHaveLength(300);
    expect(second?.value).toMatchObject({ kind: 'object', isLonger: true });
    expect(services.previews.value('flow', { row: 1, nodeId: 'double' })).toEqual({
      json: JSON.stringify({ n: '1'.repeat(5000) }),
      isCut: false,
    });
    expect(services.previews.value('flow', { row: 2, nodeId: 'double' })).toMatchObject({ isCut: true });
    expect(services.previews.value('flow', { row: 2 })?.json).toHaveLength(50_008);
    expect(services.previews.value('flow', { row: 9, nodeId: 'double' })).toBeUndefined();
  });

  it('takes rows of the request, of a row set, and the failed ones of a run', async () => {
    const failing = plainDraft.replace('=row.n * 2', '"=row.n > 3 ? row.gone.x : row.n"');
    const services = await openTestServices({ flow: failing.replace('nodes:', 'onRowError: skip\nnodes:') });
    const own = await previewDraft(services, plainDraft, {
      rows: { of: 'rows', rows: [{ n: 7 }, { n: 8 }] },
      count: 1,
    });
    expect(textsOf(own.rows, 'double')).toEqual(['{"n":14}']);
    const set = await services.rowSets.save(
      { workflowId: 'flow', name: 'few', replaces: false },
      async (writer) => {
        await writer.write(Buffer.from('{"n":21}\n{"n":22}\n'));
        return 2;
      },
    );
    const ofSet = await previewDraft(services, plainDraft, { rows: { of: 'rowSet', id: set.id } });
    expect(textsOf(ofSet.rows, 'double')).toEqual(['{"n":42}', '{"n":44}']);
    const { runId } = await services.start(
      'flow',
      [1, 2, 5, 3, 6].map((n) => ({ n })),
    );
    await vi.waitFor(
      async () => expect(isFinal((await services.runs.get(runId)).run.status)).toBe(true),
      10_000,
    );
    const ofRun = await previewDraft(services, plainDraft, { rows: { of: 'failed', runId } });
    expect(ofRun.rows.map(({ number }) => number)).toEqual([3, 5]);
    expect(textsOf(ofRun.rows, 'double')).toEqual(['{"n":10}', '{"n":12}']);
  });

  it('says at which node the draft, a table or a called workflow is broken', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const broken = await previewDraft(services, plainDraft.replace('nodes.double', 'nodes.duble'));
    expect(broken).toMatchObject({ rows: [], issues: [{ severity: 'error', line: 6, nodeId: 'result' }] });
    const lookup = draftFlow(`  - { id: found, type: lookup, table: gone.csv, key: a, match: =row.n }
  - { id: other, type: workflow, workflow: nowhere, row: { a: 1 } }
  - { id: result, type: output, fields: { a: =nodes.found, b: =nodes.other } }`);
    const lacking = await previewDraft(services, lookup);
    expect(lacking.issues.map(({ nodeId }) => nodeId)).toEqual(['found', 'other']);
    const rowsGone = await previewDraft(
      services,
      plainDraft.replace(/testRows: \[.*\]/, 'testRows: gone.csv'),
    );
    expect(rowsGone).toMatchObject({ rows: [], issues: [{ line: 4, nodeId: 'input' }] });
  });

  it('looks into tables beside the file, and runs called workflows', async () => {
    const called = plainDraft.replace('id: flow', 'id: other');
    const services = await openTestServices({ flow: plainDraft, other: called });
    await writeFile(join(services.dataDir, 'workflows', 'names.csv'), 'n,name\n1,one\n2,two\n3,three\n');
    const { rows, issues } = await previewDraft(
      services,
      draftFlow(`  - { id: found, type: lookup, table: names.csv, key: n, match: =String(row.n) }
  - { id: twice, type: workflow, workflow: other, row: { n: =row.n } }
  - { id: once, type: workflow, workflow: other, share: run, row: { n: 7 } }
  - { id: result, type: output, fields: { name: =nodes.found.name, n: =nodes.twice.n, once: =nodes.once.n } }`),
    );
    expect(issues).toEqual([]);
    expect(textsOf(rows, 'result')).toEqual([
      '{"name":"one","n":2,"once":14}',
      '{"name":"two","n":4,"once":14}',
      '{"name":"three","n":6,"once":14}',
    ]);
  });

  it('uses kept values in place of nodes, and writes nothing', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const { rows } = await previewDraft(services, plainDraft, { values: { double: { n: 99 }, gone: 1 } });
    expect(nodeOf(rows, 'double')[0]).toMatchObject({
      state: 'done',
      from: 'kept',
      value: { text: '{"n":99}' },
    });
    expect(textsOf(rows, 'result')).toEqual(['{"n":99}', '{"n":99}', '{"n":99}']);
    const after = await previewDraft(services, plainDraft);
    expect(textsOf(after.rows, 'result')).toEqual(['{"n":2}', '{"n":4}', '{"n":6}']);
  });

  it('ends waits at once, and gives equal drafts equal values', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const draft = draftFlow(`  - { id: wait, type: delay, for: 1h }
  - { id: chance, type: set, after: [wait], values: { x: =Math.random(), at: =Date.now() } }
  - { id: result, type: output, fields: { x: =nodes.chance.x } }`);
    const first = await previewDraft(services, draft);
    expect(statesOf(first.rows, 'chance')).toEqual(['done', 'done', 'done']);
    const second = await previewDraft(services, draft);
    expect(second.rows).toEqual(first.rows);
  });

  it('gives way to a newer preview of the same workflow', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const numbers = [3, 4, 5, 6];
    const all = await Promise.all(
      numbers.map((factor) => previewDraft(services, plainDraft.replace('* 2', `* ${factor}`))),
    );
    expect(all.slice(0, -1).map(({ superseded, rows }) => ({ superseded, rows }))).toEqual(
      Array.from({ length: 3 }, () => ({ superseded: true, rows: [] })),
    );
    expect(textsOf(all.at(-1)?.rows ?? [], 'double')).toEqual(['{"n":6}', '{"n":12}', '{"n":18}']);
  });

  it('refuses the draft of an untrusted import, in what it reaches and in its id', async () => {
    const services = await openTestServices({});
    const files = [{ name: 'flow.workflow.yaml', text: plainDraft }];
    await services.imports.import({ files, replaces: false });
    await expect(previewDraft(services, plainDraft)).rejects.toMatchObject({ code: 'workflow_untrusted' });
    const loaded = await services.workflows.find('flow');
    if (loaded === undefined) throw new Error('the import is gone');
    await services.trust.trust(loaded);
    expect((await previewDraft(services, plainDraft)).rows).toHaveLength(3);
    const further = plainDraft.replace(
      '  - { id: result',
      "  - { id: ask, type: http, request: { url: 'http://127.0.0.1:9/' } }\n  - { id: result",
    );
    await expect(previewDraft(services, further)).rejects.toMatchObject({ code: 'workflow_untrusted' });
    await expect(previewDraft(services, plainDraft.replace('id: flow', 'id: free'))).rejects.toMatchObject({
      code: 'workflow_untrusted',
    });
  });
});

describe('the control API', () => {
  it('previews a draft, shows one value of it, and says what is wrong with a request', async () => {
    const app = await startTestApp({ workflows: { flow: plainDraft } });
    onTestFinished(() => app.close());
    const { send } = controlCalls(await controlOf(app));
    const window = { workflowId: 'flow', editor: 'window', version: 1 };
    const files = [fileWith('flow.workflow.yaml', plainDraft)];
    expect((await send('author.change', { ...window, base: null, files })).status).toBe(200);
    const ask = async (name: string, input: unknown, more = {}) => {
      const { status, data } = await send('author.ask', { ...window, ...more, questions: [{ name, input }] });
      return { status, data: (data as { answers?: unknown[] } | undefined)?.answers?.[0] };
    };
    const shown = await ask('preview', { rows: { of: 'testRows' }, count: 2, mode: 'mocks' });
    expect(shown).toMatchObject({ status: 200, data: { issues: [], rows: [{ number: 1 }, { number: 2 }] } });
    const address = { row: 2, nodeId: 'double' };
    expect(await ask('value', address)).toMatchObject({ data: { json: '{"n":4}', isCut: false } });
    expect(await ask('value', { ...address, row: 3 })).toMatchObject({ data: null });
    const many = { of: 'rows', rows: Array.from({ length: 21 }, () => ({})) };
    expect((await ask('preview', { rows: many, mode: 'off' })).status).toBe(400);
    const noRun = { rows: { of: 'failed', runId: 'none' }, mode: 'off' };
    expect((await ask('preview', noRun)).status).toBe(404);
    const plainRows = { rows: { of: 'testRows' }, mode: 'off' };
    expect((await ask('preview', plainRows, { workflowId: 'gone' })).status).toBe(404);
  });
});

const controlCalls = ({ send }: Pick<ControlCalls, 'send'>) => ({
  send: async (name: string, input: unknown) => {
    const { status, text } = await send(`/call/${name}`, { body: JSON.stringify(input) });
    return { status, data: (JSON.parse(text) as { data?: unknown }).data };
  },
});
