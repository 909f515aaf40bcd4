// Samples over a data folder: the rows that are picked, the rest, and what a crash or retention leaves.
import { describe, expect, it } from 'vitest';
import { parseSample } from '../../../src-main/domain/rows/row-sample.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import { numberedLines } from '../../../src-main/services/runs/rerun-rows.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { withRunStores } from '../../builders/run-stores.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';
import { queryDatabase } from '../../builders/query-database.ts';

const workflow = `rowbench: 1
id: scoring
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { score: "=row.n * 2" } }
`;

/** Asks a model for rows with an even `n`. */
const asking = (url: string): string => `rowbench: 1
id: scoring
nodes:
  - { id: input, type: input }
  - { id: ask, type: llm, when: "=row.n % 2 === 0", baseUrl: "${url}", model: m, messages: [{ role: user, content: "{{ row.n }}" }] }
  - { id: result, type: output, after: [ask], fields: { n: "=row.n" } }
`;

const countries = ['de', 'fr', null, '', 'de', 'it'];
const rows = Array.from({ length: 60 }, (_, n) => ({ n, country: countries[n % countries.length] }));
const byApp = { isAgain: false, origin: { kind: 'app' } } as const;

/** Starts a sample of rows, which arrive in chunks that end anywhere. */
async function startSample(
  services: TestServices,
  text: string,
  all: readonly unknown[] = rows,
): Promise<Run> {
  const loaded = await services.workflows.find('scoring');
  if (loaded === undefined) throw new Error('no workflow');
  const newRun = await services.runs.beginRun({ workflow: loaded, origin: { kind: 'app' } });
  const bytes = Buffer.from(all.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return services.samples.start(
    { newRun, workflowId: 'scoring', choice: parseSample(text, () => 7) },
    async (writer) => {
      for (let at = 0; at < bytes.length; at += 100) await writer.write(bytes.subarray(at, at + 100));
      return all.length;
    },
  );
}

/** The values of `n` by row number. */
async function rowsOf(services: TestServices, runId: string): Promise<[number, number][]> {
  const found: [number, number][] = [];
  for await (const { number, line } of numberedLines(await services.runs.readRows(runId, 'all')))
    found.push([number, (JSON.parse(Buffer.from(line).toString()) as { n: number }).n]);
  return found;
}

const completed = async (services: TestServices, runId: string): Promise<string> => {
  await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  return runId;
};

const storedSets = async (dataDir: string): Promise<number> =>
  (await queryDatabase(dataDir, ['select 1 from row_sets']))[0]?.length ?? 0;

describe('a sample', () => {
  it.each(['9', 'first:9', 'random:9', 'each:country'])(
    '%s and its rest are all rows, each once',
    async (text) => {
      const services = await openTestServices({ scoring: workflow });
      const sample = await startSample(services, text);
      const sampled = await rowsOf(services, sample.runId);
      expect(sampled.length).toBe(text === 'each:country' ? 4 : 9);
      await completed(services, sample.runId);
      const { run: rest } = await services.samples.runRest(sample.runId, byApp);
      expect(rest).toMatchObject({ rerunOf: sample.runId, isRest: true, rows: 60 - sampled.length });
      const all = [...sampled, ...(await rowsOf(services, rest.runId))].sort(([one], [other]) => one - other);
      expect(all).toEqual(rows.map(({ n }) => [n + 1, n]));
      await completed(services, rest.runId);
    },
  );

  it('of first rows has the first ones, of each value the first row with it, empty ones being one', async () => {
    const services = await openTestServices({ scoring: workflow });
    expect((await rowsOf(services, (await startSample(services, '3')).runId)).map(([row]) => row)).toEqual([
      1, 2, 3,
    ]);
    const each = await startSample(services, 'each:country');
    expect((await rowsOf(services, each.runId)).map(([row]) => row)).toEqual([1, 2, 3, 6]);
  });

  it('of random rows is the same for the same seed, which is stored', async () => {
    const services = await openTestServices({ scoring: workflow });
    const first = await startSample(services, 'random:5:42');
    const same = await startSample(services, first.sample?.choice ?? '');
    expect(await rowsOf(services, same.runId)).toEqual(await rowsOf(services, first.runId));
    const other = await startSample(services, 'random:5:43');
    expect(await rowsOf(services, other.runId)).not.toEqual(await rowsOf(services, first.runId));
  });

  it.each([
    ['0', 'A sample has at least 1 row'],
    ['61', 'The sample takes 61 rows, but there are only 60'],
    ['60', 'There are only 60 rows: run all of them'],
    ['random:999999', 'A sample has at most 100,000 rows'],
    ['each:', 'Name the column'],
    ['each:nope', 'No row has a column "nope"'],
    ['each:n', 'Each row has another value of "n"'],
    ['some', '"some" is no sample'],
    ['-1', '"-1" is no sample'],
  ])('%s is refused in plain words, and nothing of it is stored', async (text, problem) => {
    const services = await openTestServices({ scoring: workflow });
    await expect(async () => startSample(services, text)).rejects.toThrow(problem);
    expect(await services.runs.list({})).toEqual([]);
    expect(await storedSets(services.dataDir)).toBe(0);
  });

  it('tells what is left, whether it was run, and how long it may take', async () => {
    const services = await openTestServices({ scoring: workflow });
    const { runId } = await startSample(services, '10');
    await completed(services, runId);
    expect(await services.samples.state(runId)).toEqual({
      sampleRunId: runId,
      choice: 'first:10',
      restRows: 50,
      restRunIds: [],
      estimate: { ms: expect.any(Number) as number },
    });
    const { run: rest } = await services.samples.runRest(runId, byApp);
    expect(await services.samples.state(runId)).toMatchObject({ restRunIds: [rest.runId] });
    expect(await services.samples.state(rest.runId)).toBeUndefined();
    await expect(services.samples.runRest(rest.runId, byApp)).rejects.toThrow('The run is no sample');
  });

  it('estimates the tokens of its rest from those that its rows have used', async () => {
    const upstream = await startUpstream({
      '/v1/chat/completions': json({
        choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 120, completion_tokens: 3, total_tokens: 123 },
      }),
    });
    const services = await openTestServices({ scoring: asking(upstream.url('/v1')) });
    await services.trust.grant('scoring', { allow: ['loopback'], deny: [] });
    const { runId } = await startSample(services, '4');
    await completed(services, runId);
    // The model was asked for every second row: for 2 of 4 in the sample, so for 28 of 56 in the rest.
    expect((await services.samples.state(runId))?.estimate?.tokens).toEqual({
      prompt: 28 * 120,
      completion: 28 * 3,
    });
  });

  it('runs its rest once, unless it is asked for again', async () => {
    const services = await openTestServices({ scoring: workflow });
    const { runId } = await startSample(services, '10');
    const started = await Promise.allSettled([
      services.samples.runRest(runId, byApp),
      services.samples.runRest(runId, byApp),
    ]);
    expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await services.runs.list({})).toHaveLength(2);
    await services.samples.runRest(runId, { ...byApp, isAgain: true });
    expect((await services.samples.state(runId))?.restRunIds).toHaveLength(2);
  });

  it('that is repeated is a sample again, whose rest is compared with it by number', async () => {
    const services = await openTestServices({ scoring: workflow });
    const sample = await startSample(services, 'random:10:1');
    await completed(services, sample.runId);
    const { run: again } = await services.runs.rerun(sample.runId, 'all', { kind: 'app' });
    expect(again).toMatchObject({ sample: sample.sample, part: 'sample', rerunOf: sample.runId });
    expect(again.chainId).toBeUndefined();
    expect(await services.samples.state(again.runId)).toMatchObject({
      sampleRunId: again.runId,
      restRows: 50,
      restRunIds: [],
    });
    const { run: rest } = await services.samples.runRest(again.runId, byApp);
    expect(rest).toMatchObject({ rerunOf: again.runId, chainId: again.runId });
    expect((await services.samples.state(sample.runId))?.restRunIds).toEqual([]);
    for (const { runId } of [again, rest]) await completed(services, runId);
    const comparison = await services.comparisons.compare({
      firstRunId: again.runId,
      secondRunId: rest.runId,
    });
    expect(comparison).toMatchObject({ matching: 'number', counts: { onlyInFirst: 10, onlyInSecond: 50 } });
  });

  it('that is cancelled leaves its rest to be run', async () => {
    const services = await openTestServices({ scoring: workflow }, { executes: false });
    const { runId } = await startSample(services, '10');
    await services.runs.cancel(runId);
    expect((await services.samples.runRest(runId, byApp)).run.rows).toBe(50);
  });
});

describe('the rows of a sample', () => {
  it('outlive a restart, and go with its run', async () => {
    const before = await openTestServices({ scoring: workflow });
    const { runId } = await startSample(before, '10');
    await completed(before, runId);
    await before.close();
    const services = await openTestServices({}, { dataDir: before.dataDir });
    expect(await services.rowSets.list('scoring')).toEqual([]);
    const { run: rest } = await services.samples.runRest(runId, byApp);
    expect((await rowsOf(services, rest.runId))[0]).toEqual([11, 10]);
    await completed(services, rest.runId);
    await services.close();
    await withRunStores(before.dataDir, ({ database }) => database.removeRuns([runId], []));
    expect(await storedSets(before.dataDir)).toBe(0);
  });

  it('stay for a repeated sample, also after a restart, and go with the last one', async () => {
    const before = await openTestServices({ scoring: workflow });
    const { runId } = await startSample(before, '10');
    await completed(before, runId);
    const { run: again } = await before.runs.rerun(runId, 'all', { kind: 'app' });
    await completed(before, again.runId);
    await before.runs.remove(runId, {});
    expect(await storedSets(before.dataDir)).toBe(1);
    await before.close();
    const services = await openTestServices({}, { dataDir: before.dataDir });
    const { run: rest } = await services.samples.runRest(again.runId, byApp);
    expect(rest.rows).toBe(50);
    await completed(services, rest.runId);
    await services.runs.remove(again.runId, { isChain: true });
    expect(await storedSets(services.dataDir)).toBe(0);
  });

  it('are removed by the next start if a crash came before the run', async () => {
    const before = await openTestServices({ scoring: workflow });
    await before.rowSets.saveSample('scoring', '0197a000-0000-7000-8000-000000000009', async (writer) => {
      await writer.write(Buffer.from('{"n":1}\n'));
      return 1;
    });
    const accepted = await startSample(before, '10');
    await completed(before, accepted.runId);
    expect(await storedSets(before.dataDir)).toBe(2);
    await before.close();
    const services = await openTestServices({}, { dataDir: before.dataDir });
    expect(await storedSets(services.dataDir)).toBe(1);
    expect((await services.samples.state(accepted.runId))?.restRows).toBe(50);
  });
});
