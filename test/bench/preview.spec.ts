// Previews of a draft: 200 successive edits of a workflow with 30 nodes, with 10 rows each, through the control API.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type RunningApp } from '../../src-main/app/start-app.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { fileWith } from '../builders/editor-window.ts';
import { controlOf } from '../builders/control-calls.ts';
import { atMost, quantile, report } from './figures.ts';

const edits = 200;
const nodes = 30;
/** A user sees the value within this time, less the pause in typing and the drawing, in ms. */
const aimMs = 150;

let folder: string;
let app: RunningApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowbench-bench-'));
  const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));
  await mkdir(join(folder, 'workflows'), { recursive: true });
  await writeFile(join(folder, 'workflows', 'edited.workflow.yaml'), draft(0));
  app = await startApp({
    dataDir: folder,
    port: 0,
    workerScript,
    pagesFolder: undefined,
    clock: systemClock,
    log: silentLog,
  });
}, 60_000);

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** A chain of nodes, every third of them code; the edit changes one expression. */
function draft(edit: number): string {
  const rows = Array.from({ length: 10 }, (_, n) => ({ n, name: `row ${n}`, tags: ['a', 'b', 'c'] }));
  const middle = Array.from({ length: nodes - 2 }, (_, at) => {
    const before = at === 0 ? 'row' : `nodes.n${at - 1}`;
    const plus = at === edit % (nodes - 2) ? edit : 1;
    if (at % 3 !== 0)
      return `  - { id: n${at}, type: set, values: { n: '=${before}.n + ${plus}', name: =row.name } }`;
    return `  - id: n${at}
    type: code
    code: |
      const words = row.name.split(' ').map((word) => word.toUpperCase());
      return { n: ${before}.n + ${plus}, words, tags: row.tags };`;
  });
  return `rowbench: 1
id: edited
nodes:
  - { id: input, type: input, testRows: ${JSON.stringify(rows)} }
${middle.join('\n')}
  - { id: result, type: output, fields: { n: =nodes.n${nodes - 3}.n } }
`;
}

it('a preview of 30 nodes and 10 rows answers in time, edit after edit', async () => {
  const control = await controlOf({ ...app, dataDir: folder } as never);
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    const window = { workflowId: 'edited', editor: 'window', version: edit + 1 };
    const files = [fileWith('edited.workflow.yaml', draft(edit))];
    const input = { rows: { of: 'testRows' }, mode: 'mocks' };
    const from = performance.now();
    await control.send('/call/author.change', { body: JSON.stringify({ ...window, base: null, files }) });
    const body = JSON.stringify({ ...window, questions: [{ name: 'preview', input }] });
    const { text } = await control.send('/call/author.ask', { body });
    times.push(performance.now() - from);
    type Previewed = { issues: unknown[]; rows: { output?: unknown }[] };
    const [data] = (JSON.parse(text) as { data: { answers: [Previewed] } }).data.answers;
    expect(data.issues).toEqual([]);
    expect(data.rows.filter(({ output }) => output !== undefined)).toHaveLength(10);
  }
  const p95 = quantile(times, 0.95);
  report(
    atMost(1, {
      what: `preview, ${nodes} nodes, 10 rows, ${edits} edits, p95`,
      ours: `${p95.toFixed(0)} ms (p50 ${quantile(times, 0.5).toFixed(0)}, first ${(times[0] ?? 0).toFixed(0)})`,
      baseline: `what a user sees as at once ${aimMs} ms`,
      ratio: p95 / aimMs,
    }),
  );
}, 120_000);
