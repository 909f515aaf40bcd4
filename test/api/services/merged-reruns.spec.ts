// Which reruns change the merged results of the run that they repeat, in a data folder and in the database of a team.
import { describe, expect, it } from 'vitest';
import { allRows } from '../../../src-main/domain/query/row-selection.ts';
import type { TablePage } from '../../../src-main/domain/query/table-page.ts';
import type { RerunKind } from '../../../src-main/domain/run/rerun-kind.ts';
import type { RunInputs } from '../../../src-main/services/runs/new-run.ts';
import type { RerunWhat } from '../../../src-main/services/runs/reruns.ts';
import { chainCounts } from '../../../src-main/presenters/chain-views.ts';
import type { TestServices } from '../../builders/open-test-services.ts';
import { aloneAndTeam } from '../../builders/team-of-two.ts';

const scoring = `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: points, type: set, after: [check], values: { score: "=row.size * 2" }, mock: { few: { score: -1 } } }
  - { id: result, type: output, fields: { score: "=nodes.points.score" } }
`;
const rows = [5, 0, 9, 0].map((size) => ({ size }));
const lineOf = (size: number): string => `${JSON.stringify({ size })}\n`;
const firstRow: RerunWhat = { lines: lineOf(70), numbers: [1] };

async function ended(services: TestServices, runId: string): Promise<string> {
  const status = async () => (await services.runs.get(runId)).run.status;
  await expect.poll(status, { timeout: 30_000 }).toMatch(/completed|failed/);
  return runId;
}

async function rerun(services: TestServices, runId: string, what: RerunWhat, changes: RunInputs = {}) {
  const { run } = await services.runs.rerunWith(runId, changes, { what, origin: { kind: 'cli' } });
  return ended(services, run.runId);
}

/** The first two rows of `rows`, as a run. */
async function sampleOfTwo(services: TestServices): Promise<string> {
  const workflow = await services.workflows.find('scoring');
  if (workflow === undefined) throw new Error('no workflow');
  const newRun = await services.runs.beginRun({ workflow, origin: { kind: 'cli' } });
  const sample = { newRun, workflowId: 'scoring', choice: services.samples.parse('2') };
  const { runId } = await services.samples.start(sample, async (writer) => {
    await writer.write(Buffer.from(rows.map(({ size }) => lineOf(size)).join('')));
    return rows.length;
  });
  return ended(services, runId);
}

type Ready = Extract<TablePage, { readonly isReady: true }>;

/** Merged results of the run, by each of their readers, and their counts. */
async function mergedResults(services: TestServices, runId: string) {
  const { runData, runExports } = services;
  const selection = { ...allRows, latest: true };
  const pageOf = async (): Promise<Ready> => {
    for (;;) {
      const page = await runData.table(runId, { selection, from: 1, count: 100 });
      if (page.isReady) return page;
    }
  };
  let file = '';
  for await (const piece of runExports.exportRun({
    runId,
    options: { format: 'csv', rowNumbers: true, failedRows: true },
    selection,
  }))
    file += Buffer.from(piece as Uint8Array).toString();
  let input = '';
  for await (const { bytes } of runData.selectedRows(runId, selection))
    input += Buffer.from(bytes).toString();
  const failures: (readonly [row: number, message: string])[] = [];
  for await (const { row, message } of runData.chainFailures(runId)) failures.push([row, message]);
  const column = { of: 'output', name: 'score' } as const;
  const statistics = async () => {
    for (;;) {
      const step = await runData.statistics(runId, { columns: [column], latest: true });
      if (step.isReady) return step.statistics[0]?.numbers;
    }
  };
  return {
    shown: (await pageOf()).rows.map(({ row, state, output }) => [row, state, output[0]?.text]),
    file,
    input,
    columns: await runData.columns(runId, true),
    statistics: await statistics(),
    causes: await runData.causes(runId, true),
    failures,
    counts: await countsOf(services, runId),
  };
}

/** Counts of a run's chain: `chain.show` as the live feed and the list get it. */
async function countsOf({ chains }: TestServices, runId: string) {
  const { rows, done, failed, notRun, open, attempts } = chainCounts(await chains.show(runId));
  return { rows, done, failed, notRun, open, attempts };
}

describe.each(aloneAndTeam)('the counts of a chain on %s', (_, open) => {
  it('are those of a sample, of its rest and of fixed rows, from each attempt, and as often as it is counted', async () => {
    const { first: services } = await open({ scoring });
    const changes: number[][] = [];
    services.chains.watch((chain) => {
      const { done, failed, attempts } = chainCounts(chain);
      changes.push([attempts, done, failed]);
    });
    const sample = await sampleOfTwo(services);
    expect(await countsOf(services, sample)).toEqual({
      rows: 4,
      done: 1,
      failed: 1,
      notRun: 2,
      open: 3,
      attempts: 1,
    });
    const { run } = await services.samples.runRest(sample, { isAgain: false, origin: { kind: 'cli' } });
    const rest = await ended(services, run.runId);
    const counts = { rows: 4, done: 2, failed: 2, notRun: 0, open: 2, attempts: 2 };
    for (const runId of [sample, rest]) expect(await countsOf(services, runId)).toEqual(counts);
    const fixed = await rerun(services, sample, { lines: lineOf(3), numbers: [2] });
    const failsAgain = await rerun(services, sample, { lines: lineOf(0), numbers: [1] });
    const fixedCounts = { ...counts, done: 3, failed: 1, open: 1, attempts: 4 };
    for (const runId of [sample, rest, fixed, failsAgain])
      expect(await countsOf(services, runId)).toEqual(fixedCounts);
    const { rows } = await services.chains.show(rest);
    expect(rows.gains).toEqual([
      { newOutputs: 1, fixed: 0, failedAgain: 0 },
      { newOutputs: 1, fixed: 0, failedAgain: 0 },
      { newOutputs: 1, fixed: 1, failedAgain: 0 },
      { newOutputs: 0, fixed: 0, failedAgain: 0 },
    ]);
    const { shown, failures } = await mergedResults(services, rest);
    const failedRows = shown.filter(([, state]) => state === 'failed');
    expect(failedRows).toHaveLength(rows.failed);
    expect(failures).toEqual(failedRows.map(([row]) => [row, 'no size']));
    await expect.poll(() => changes.at(-1), { timeout: 5_000 }).toEqual([4, 3, 1]);
    const listed = await services.chains.list([sample, rest, 'unknown']);
    expect(listed.map(({ chainId }) => chainId)).toEqual([sample]);
    // Without its newest attempt, the rows that only this attempt has finished are open again.
    for (const newest of [failsAgain, fixed]) {
      const { rows: before } = await services.chains.show(sample);
      await services.runs.remove(newest, {});
      const { open: stillOpen } = await countsOf(services, sample);
      expect(stillOpen).toBe(before.rows - before.done + (before.gains.at(-1)?.newOutputs ?? 0));
    }
  }, 60_000);
});

describe.each(aloneAndTeam)('the merged results of a run on %s', (_, open) => {
  it('stay the same after reruns of all rows, of rows without numbers, under a scenario, with mocks or of recorded answers', async () => {
    const { first: services } = await open({ scoring });
    const runId = await ended(services, (await services.start('scoring', rows)).runId);
    const before = await mergedResults(services, runId);
    const kinds: RerunKind[] = [];
    const add = async (what: RerunWhat, changes?: RunInputs): Promise<string> => {
      const id = await rerun(services, runId, what, changes);
      kinds.push((await services.runs.get(id)).run.rerunKind ?? 'completes');
      return id;
    };
    const whole = await add('all');
    const allEdited = await add({ lines: [9, 5, 2000, 0].map(lineOf).join(''), numbers: [1, 2, 3, 4] });
    const edited = await add({ lines: lineOf(1000) });
    const moved = await add({ lines: [9, 5, 2000, 0].map(lineOf).join('') });
    const slowed = await add(firstRow, { scenario: { 'upstream-slow': 1, seed: 7 } });
    const mocked = await add(firstRow, { mocks: { points: 'few' } });
    const offline = await add(firstRow, { mode: 'mocks' });
    const replayed = await add(firstRow, { mode: 'replay' });
    expect(kinds).toEqual([
      'completes',
      'completes',
      'otherRows',
      'otherRows',
      'otherAnswers',
      'otherAnswers',
      'otherAnswers',
      'otherAnswers',
    ]);
    expect(await mergedResults(services, runId)).toEqual(before);
    for (const apart of [whole, allEdited, edited, moved, slowed, mocked, offline, replayed])
      expect(await services.runs.links(apart, 9)).toMatchObject({ originalRunId: apart, isMerged: false });
    expect(await services.runs.links(runId, 9)).toMatchObject({ isMerged: false });
  }, 60_000);

  it('are the same from each attempt of the chain', async () => {
    const { first: services } = await open({ scoring });
    const runId = await ended(services, (await services.start('scoring', rows)).runId);
    const retried = await rerun(services, runId, 'failed');
    const fixed = await rerun(services, retried, { lines: lineOf(3) + lineOf(0), numbers: [2, 4] });
    const again = await rerun(services, fixed, 'all');
    const parts = await Promise.all([retried, fixed, again].map((id) => services.runs.get(id)));
    expect(parts.map(({ run }) => [run.chainId, run.part])).toEqual([
      [runId, 'open'],
      [runId, 'edited'],
      [runId, undefined],
    ]);
    const whole = await mergedResults(services, runId);
    expect(whole.file).toContain('\n2,6,,\n');
    for (const attempt of [retried, fixed, again])
      expect(await mergedResults(services, attempt)).toEqual(whole);
  }, 60_000);

  it('have the newest outputs of reruns of some rows under their numbers, recorded or not, and of reruns of those', async () => {
    const { first: services } = await open({ scoring });
    const runId = await ended(services, (await services.start('scoring', rows)).runId);
    const fixed = await rerun(services, runId, { lines: lineOf(3) + lineOf(0), numbers: [2, 4] });
    const last = await rerun(services, fixed, { lines: lineOf(4), numbers: [4] }, { mode: 'record' });
    await rerun(services, runId, { lines: lineOf(8), numbers: [3] }, { mode: 'fill' });
    const { shown, file, statistics } = await mergedResults(services, runId);
    expect(shown.map(([row, , score]) => [row, score])).toEqual([
      [1, '10'],
      [2, '6'],
      [3, '16'],
      [4, '8'],
    ]);
    expect(file).toBe('row,score,failed.node,failed.message\n1,10,,\n2,6,,\n3,16,,\n4,8,,\n');
    expect(statistics).toMatchObject({ min: 6, max: 16 });
    expect(await services.runs.links(last, 9)).toMatchObject({ originalRunId: runId, isMerged: true });
  }, 60_000);

  it('of a run under a scenario have the rows that are rerun under the same one, and no others', async () => {
    const { first: services } = await open({ scoring });
    const scenario = { 'upstream-slow': 1, seed: 7 };
    const runId = await ended(services, (await services.start('scoring', rows, { scenario })).runId);
    await rerun(services, runId, { lines: lineOf(3), numbers: [2] });
    await rerun(services, runId, { lines: lineOf(4), numbers: [4] }, { scenario: {} });
    const { shown } = await mergedResults(services, runId);
    expect(shown.map(([row, state]) => [row, state])).toEqual([
      [1, 'done'],
      [2, 'done'],
      [3, 'done'],
      [4, 'failed'],
    ]);
  }, 60_000);
});
