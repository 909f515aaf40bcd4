// Questions over all rows of stored runs: statistics of one column, and the comparison of two runs.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openControl, type Control } from '../../src-main/app/connect.ts';
import { silentLog } from '../../src-main/base/log.ts';
import type { Condition, RowSelection } from '../../src-main/contract/index.ts';
import { count } from '../../src-main/domain/format.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textRow } from '../builders/text-workload.ts';
import { atMost, median, medianRatio, report } from './figures.ts';
import { startRowbench, writeWorkflows, type Subject } from './subjects.ts';

const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

/** A server with a new data folder. `open` reads the folder, with or without the server. */
async function startServer() {
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  const server = await startRowbench({
    dataDir,
    workflows: await writeWorkflows(folder, 'http://127.0.0.1:9/'),
  });
  const open = () => openControl({ dataDir, workerScript, workflowFolders: [], log: silentLog });
  return { server, open };
}

/** Maximum seconds by the number of rows. */
const aims = [
  { rows: 100_000, statistics: 1, comparison: 5 },
  { rows: 1_000_000, statistics: 3, comparison: 10 },
];

it('questions over all rows are answered in seconds', { timeout: 600_000 }, async () => {
  const { server, open } = await startServer();
  const control = await open();
  for (const { rows, ...aim } of aims) {
    const [first, second] = [await storedRun(server, rows, 0), await storedRun(server, rows, 1)];
    const statistics = await secondsOf(() => statisticsOf(control, first, rows));
    reportSeconds(`statistics of one column, ${count(rows)} rows`, statistics, aim.statistics);
    let turn = 0;
    const comparison = await secondsOf(() => {
      // Other rules each time: the last comparisons stay in memory.
      turn += 1;
      return compare(control, { firstRunId: first, secondRunId: second, rows, unused: `field ${turn}` });
    });
    reportSeconds(`comparison of two runs of ${count(rows)} rows`, comparison, aim.comparison);
  }
  await control.close();
  await server.stop();
});

it('the first screen of selected rows is there in seconds', { timeout: 600_000 }, async () => {
  const { server, open } = await startServer();
  const control = await open();
  // First, so that no connection of the server idles until it is closed.
  const runs = [
    { rows: 100_000, aim: 0.5, runId: await storedRun(server, 100_000, 0) },
    { rows: 1_000_000, aim: 3, runId: await storedRun(server, 1_000_000, 0) },
  ];
  for (const { rows, aim, runId } of runs) {
    for (const [what, selection] of selections) {
      let turn = 0;
      const seconds = await secondsOf(async () => {
        // Another selection each time: the last ones stay in memory.
        turn += 1;
        const other = { of: 'rows', numbers: [turn], isExcluded: true } as const;
        const { total } = await firstScreen(control, runId, {
          ...selection,
          conditions: [...selection.conditions, other],
        });
        expect(total).toBeGreaterThan(0);
      });
      reportSeconds(`first screen ${what}, ${count(rows)} rows`, seconds, aim);
    }
  }
  await control.close();
  await server.stop();
});

it(
  'the first screen of a run and its rerun, as one table, is nearly as quick',
  { timeout: 600_000 },
  async () => {
    const { server, open } = await startServer();
    const control = await open();
    const runId = await storedRun(server, 100_000, 0);
    const rerun = await control.call('run.rerun', { runId, rows: { selection: { conditions: [above] } } });
    await expect.poll(() => server.status('text', rerun.runId), { timeout: 300_000 }).toBe('completed');
    for (const [what, selection] of selections) {
      const seconds: Record<'one' | 'merged', number[]> = { one: [], merged: [] };
      for (let turn = 1; turn <= 5; turn += 1) {
        const other = { of: 'rows', numbers: [turn], isExcluded: true } as const;
        const conditions = [...selection.conditions, other];
        for (const [table, latest] of [
          ['one', false],
          ['merged', true],
        ] as const) {
          const began = performance.now();
          await firstScreen(control, runId, { ...selection, conditions, latest });
          seconds[table].push((performance.now() - began) / 1000);
        }
      }
      const [ours, baseline] = [median(seconds.merged), median(seconds.one)].map(
        (found) => `${found.toFixed(2)} s`,
      );
      const ratio = medianRatio(seconds.merged, seconds.one);
      report(
        atMost(2, {
          what: `first screen ${what}, run and rerun`,
          ours: ours ?? '',
          baseline: baseline ?? '',
          ratio,
        }),
      );
    }
    await control.close();
    await server.stop();
  },
);

it('the rows of a chain of four attempts are counted at once', { timeout: 600_000 }, async () => {
  const { server, open } = await startServer();
  const rows = 100_000;
  const runId = await storedRun(server, rows, 0);
  const started = await open();
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    const rerun = await started.call('run.rerun', {
      runId,
      rows: { selection: { conditions: [above] } },
    });
    await expect.poll(() => server.status('text', rerun.runId), { timeout: 300_000 }).toBe('completed');
  }
  await started.close();
  await server.stop();
  const milliseconds: Record<'cold' | 'warm', number[]> = { cold: [], warm: [] };
  for (let turn = 0; turn < 5; turn += 1) {
    // Without a server, and so without counts of an earlier question.
    const control = await open();
    for (const counter of ['cold', 'warm'] as const) {
      const began = performance.now();
      const { counts } = await control.call('chain.show', { runId });
      milliseconds[counter].push(performance.now() - began);
      expect(counts).toMatchObject({ rows, done: rows, attempts: 4 });
    }
    await control.close();
  }
  for (const [counter, aim] of [
    ['cold', 300],
    ['warm', 20],
  ] as const) {
    const found = median(milliseconds[counter]);
    const what = `counts of a chain of ${count(rows)} rows and 4 attempts, ${counter}`;
    report(atMost(1, { what, ours: `${found.toFixed(1)} ms`, baseline: `${aim} ms`, ratio: found / aim }));
  }
});

const points = { of: 'output', name: 'points' } as const;
const greeting = { of: 'output', name: 'greeting' } as const;
const above: Condition = { of: 'column', column: points, test: { is: 'between', min: 100 } };
const selections: readonly (readonly [string, RowSelection])[] = [
  ['filtered by a number', { conditions: [above] }],
  ['filtered by a text', { conditions: [{ of: 'text', text: 'Person 999' }] }],
  ['sorted by a number', { conditions: [], sort: { column: points, descending: true } }],
  ['sorted by a text', { conditions: [], sort: { column: greeting, descending: false } }],
  ['grouped by a value', { conditions: [], groupBy: { of: 'input', name: 'company' } }],
];

async function firstScreen({ call }: Control, runId: string, selection: RowSelection) {
  for (;;) {
    const page = await call('run.table', { runId, selection, from: 1, count: 100 });
    if (page.isReady) return page;
  }
}

it('a text is found among 1,000 runs of 1,000 rows within two seconds', { timeout: 600_000 }, async () => {
  const { server, open } = await startServer();
  // Only the oldest run has the text, so that all others are searched before it.
  const rows = Array.from({ length: 1_000 }, (_, index) => textRow(index));
  const needle = { ...textRow(0), note: 'a needle here' };
  await server.trigger('text', Buffer.from(JSON.stringify({ rows: [needle, ...rows.slice(1)] })));
  const body = Buffer.from(JSON.stringify({ rows }));
  let last = '';
  for (let run = 1; run < 1_000; run += 1) last = await server.trigger('text', body);
  await expect.poll(() => server.status('text', last), { timeout: 300_000 }).toBe('completed');
  const control = await open();
  const { call } = control;
  const seconds = await secondsOf(async () => {
    let page = await call('run.find', { text: 'NEEDLE', limit: 1 });
    while (page.hits.length === 0 && page.next !== undefined)
      page = await call('run.find', { text: 'NEEDLE', limit: 1, cursor: page.next });
    expect(page.hits).toMatchObject([{ row: 1, match: 'needle' }]);
  });
  reportSeconds('first hit, in the oldest of 1,000 runs of 1,000 rows', seconds, 2);
  await control.close();
  await server.stop();
});

/** A run over rows; every tenth row has another score than in the run with another `shift`. */
async function storedRun(server: Subject, rows: number, shift: number): Promise<string> {
  const ofNumber = (index: number) => {
    const row = textRow(index);
    return index % 10 === 0 ? { ...row, score: row.score + shift } : row;
  };
  const body = Buffer.from(
    JSON.stringify({ rows: Array.from({ length: rows }, (_, index) => ofNumber(index)) }),
  );
  const runId = await server.trigger('text', body);
  await expect.poll(() => server.status('text', runId), { timeout: 300_000 }).toBe('completed');
  return runId;
}

async function statisticsOf({ call }: Control, runId: string, rows: number): Promise<void> {
  for (;;) {
    const step = await call('run.statistics', { runId, columns: [{ of: 'output', name: 'points' }] });
    if (step.isReady) return expect(step.statistics).toMatchObject([{ rows, filled: rows }]);
  }
}

type Compared = { firstRunId: string; secondRunId: string; rows: number; unused: string };

async function compare({ call }: Control, { rows, unused, ...runs }: Compared) {
  const rules = [{ name: unused, rule: 'ignore' as const }];
  const { counts } = await call('run.compare', { ...runs, rules, limit: 20 });
  expect(counts).toMatchObject({ same: 0.9 * rows, changed: 0.1 * rows });
}

/** The median of five calls. */
async function secondsOf(act: () => Promise<void>): Promise<number> {
  const seconds: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const began = performance.now();
    await act();
    seconds.push((performance.now() - began) / 1000);
  }
  return median(seconds);
}

const reportSeconds = (what: string, seconds: number, aim: number): void =>
  report(atMost(1, { what, ours: `${seconds.toFixed(2)} s`, baseline: `${aim} s`, ratio: seconds / aim }));
