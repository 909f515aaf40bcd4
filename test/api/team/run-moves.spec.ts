// Moves of runs, scenarios, budgets and failures: a team of two servers over one database does what a server alone does.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import { readScenario } from '../../../src-main/domain/scenarios/parse-scenario.ts';
import { createTraceHandlers } from '../../../src-main/http/control-api/results/traces.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, endLeases } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';
import { json, startUpstream, type TestUpstream } from '../../builders/upstream-server.ts';

const flow = (id: string, nodes: string, keys = ''): string => `rowbench: 1
id: ${id}
${keys}
nodes:
  - { id: input, type: input }
${nodes}
`;
const result = (after: string): string =>
  `  - { id: result, type: output, after: [${after}], fields: { n: "=row.n", chance: "=Math.random()" } }`;
const check = `  - { id: check, type: assert, that: "=row.ok !== false", message: "not {{ row.n }}" }`;
const flows = {
  quick: flow('quick', result('input')),
  failing: flow('failing', `${check}\n${result('check')}`, 'onRowError: fail'),
  skipping: flow('skipping', `${check}\n${result('check')}`, 'onRowError: skip'),
  waiting: flow('waiting', `  - { id: wait, type: delay, for: 1h }\n${result('wait')}`),
};

const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
/** Rows of which some fail. */
const withFailures = (count: number, failed: readonly number[]) =>
  rowsOf(count).map(({ n }) => ({ n, ok: !failed.includes(n) }));

/** The services that a run is started with, and those that are asked about it. */
type Pair = readonly [TestServices, TestServices];

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Services that all tests use, each with runs of its own. */
async function openShared(more: Parameters<typeof openTestServices>[1] = {}): Promise<TestServices> {
  const home = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  closing.push(() => rm(home, { recursive: true, force: true, maxRetries: 3 }));
  const onOpen = (close: () => Promise<void>): void => void closing.push(close);
  return openTestServices(flows, { ...more, dataDir: join(home, 'data'), onOpen });
}

async function openAlone(): Promise<Pair> {
  const services = await openShared();
  return [services, services];
}

async function openTeam(): Promise<Pair> {
  const { url } = await createTestDatabase();
  const open = (name: string) => openShared({ openBackend: backendOf(url, { name, slots: 2 }) });
  return [await open('one'), await open('two')];
}

const backendOf = (url: string, options: { readonly name: string; readonly slots: number }) =>
  openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, ...options });

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}

const backends: readonly (readonly [string, () => Promise<Pair>])[] = [
  ['a server alone', once(openAlone)],
  ...(whyNoPostgres === undefined ? [['a team of two', once(openTeam)] as const] : []),
];

let added = 0;

/** Adds a workflow that calls this machine, for one test; gives its id. */
async function addCalling(pair: Pair, textOf: (id: string) => string): Promise<string> {
  const id = `calling-${(added += 1)}`;
  for (const services of new Set(pair)) {
    await services.write(id, textOf(id));
    await services.workflows.refresh();
    await services.trust.grant(id, { allow: ['loopback'], deny: [] });
  }
  return id;
}

const recordOf = async ({ runs }: TestServices, runId: string) => (await runs.get(runId)).run;

const until = (services: TestServices, runId: string, status: RunStatus | RegExp): Promise<void> =>
  expect.poll(async () => (await recordOf(services, runId)).status, { timeout: 20_000 }).toMatch(status);

/** Paths of calls that answer when they are asked to, and counts those that wait. */
async function blockedCalls() {
  const waiting = new Set<() => void>();
  let isOpen = false;
  const upstream = await startUpstream({
    '/': (_call, response) => {
      const answer = (): void => {
        waiting.delete(answer);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
      };
      response.once('close', () => waiting.delete(answer));
      if (isOpen) answer();
      else waiting.add(answer);
    },
  });
  return {
    upstream,
    inFlight: () => waiting.size,
    answer: (count = waiting.size) => [...waiting].slice(0, count).forEach((each) => each()),
    open: () => {
      isOpen = true;
      for (const each of [...waiting]) each();
    },
  };
}

const calling = (id: string, upstream: TestUpstream): string =>
  flow(
    id,
    `  - { id: call, type: http, request: { method: GET, url: "${upstream.url('/')}" }, timeout: 60s }\n${result('call')}`,
    'concurrency: 4',
  );

const answerOfModel = {
  choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 },
};
const asking = (id: string, upstream: TestUpstream): string =>
  flow(
    id,
    `  - { id: model, type: llm, baseUrl: "${upstream.url('/v1')}", model: m, messages: [{ role: user, content: "{{ row.n }}" }] }
${result('model')}`,
    'concurrency: 1\ntokenBudget: 1000\nonBudget: pause',
  );

/** Runs a run to its end: whatever the servers were about to do before, they have done by then. */
async function letOthersRun([first, second]: Pair): Promise<void> {
  const { runId } = await first.start('quick', rowsOf(1));
  await until(second, runId, 'completed');
}

const calls = async (open: (typeof backends)[number][1]) => {
  const blocked = await blockedCalls();
  const pair = await open();
  return { ...blocked, pair, calling: await addCalling(pair, (id) => calling(id, blocked.upstream)) };
};

describe.each(backends)('%s', { timeout: 60_000 }, (_name, open) => {
  it('says paused only when no call is in flight, and goes on', async () => {
    const { pair, calling, upstream, inFlight, answer, open: openCalls } = await calls(open);
    const [first, second] = pair;
    const { runId } = await first.start(calling, rowsOf(40));
    await expect.poll(inFlight, { timeout: 20_000 }).toBeGreaterThan(0);
    expect((await second.runs.pause(runId)).run.status).toBe('pausing');
    await letOthersRun(pair);
    expect((await recordOf(second, runId)).status).toBe('pausing');
    expect(inFlight()).toBeGreaterThan(0);
    const callsWhenPaused: number[] = [];
    await expect
      .poll(
        async () => {
          answer(1);
          const { status } = await recordOf(second, runId);
          if (status === 'paused') callsWhenPaused.push(inFlight());
          return status;
        },
        { timeout: 20_000, interval: 5 },
      )
      .toBe('paused');
    await letOthersRun(pair);
    expect([...callsWhenPaused, inFlight()]).toEqual([0, 0]);
    openCalls();
    await second.runs.resume(runId);
    await until(first, runId, 'completed');
    expect(await second.outputs(runId)).toMatchObject(rowsOf(40));
    // A call that is made again says so by its key.
    expect(upstream.keys().size).toBe(40);
  });

  it('cancels a run that pauses, and no call is left', async () => {
    const { pair, calling, inFlight } = await calls(open);
    const [first, second] = pair;
    const { runId } = await first.start(calling, rowsOf(40));
    await expect.poll(inFlight, { timeout: 20_000 }).toBeGreaterThan(0);
    await first.runs.pause(runId);
    const { run } = await second.runs.cancel(runId);
    expect(run.status).toBe('cancelled');
    await expect.poll(inFlight).toBe(0);
    await expect(first.runs.resume(runId)).rejects.toMatchObject({ code: 'move_not_allowed' });
  });

  it('keeps the outputs of rows that have ended before a cancel', async () => {
    const { pair, calling, inFlight, answer } = await calls(open);
    const [first, second] = pair;
    const { runId } = await first.start(calling, rowsOf(40));
    for (let round = 0; round < 3; round += 1) {
      await expect.poll(inFlight, { timeout: 20_000 }).toBeGreaterThan(1);
      answer(inFlight() - 1);
    }
    await expect
      .poll(async () => (await second.runs.get(runId)).counts.rowsDone, { timeout: 20_000 })
      .toBeGreaterThan(0);
    const { run, counts } = await second.runs.cancel(runId);
    expect(run.status).toBe('cancelled');
    const outputs = await first.outputs(runId);
    const ended = outputs.flatMap((output, n) =>
      output === undefined ? [] : [[(output as { n: number }).n, n]],
    );
    expect(ended.every(([n, at]) => n === at)).toBe(true);
    expect(ended.length).toBe(counts.rowsDone);
    expect(counts.rowsDone + counts.rowsFailed + (counts.rowsUnfinished ?? 0)).toBe(outputs.length);
  });

  it('keeps a run queued as its scenario says, and pauses and cancels at its row', async () => {
    const [first, second] = await open();
    const queued = await first.start('quick', rowsOf(2), { scenario: readScenario('queued-for=1s') });
    const pausing = await first.start('quick', rowsOf(2_500), { scenario: readScenario('pause-at=1200') });
    const cancelling = await first.start('quick', rowsOf(2_500), {
      scenario: readScenario('cancel-at=1200'),
    });
    const failing = await first.start('skipping', rowsOf(2_500), { scenario: readScenario('fail-row=2100') });
    // At the last row of a segment, and of the run.
    const atLast = await Promise.all(
      ['pause-at=1000', 'cancel-at=1000', 'pause-at=1500', 'cancel-at=1500'].map((text) =>
        first.start('quick', rowsOf(1_500), { scenario: readScenario(text) }),
      ),
    );
    await until(second, pausing.runId, 'paused');
    expect((await second.runs.get(pausing.runId)).counts).toMatchObject({ rowsDone: 1200 });
    await until(second, cancelling.runId, 'cancelled');
    expect((await second.runs.get(cancelling.runId)).counts).toEqual({ rowsDone: 1200, rowsFailed: 0 });
    await until(second, failing.runId, 'completed');
    expect((await second.runs.get(failing.runId)).counts).toMatchObject({ rowsDone: 2499, rowsFailed: 1 });
    const reached: RunStatus[] = ['paused', 'cancelled', 'completed', 'completed'];
    for (const [index, status] of reached.entries()) {
      const { runId } = atLast[index]!;
      await until(second, runId, status);
      const rowsDone = status === 'completed' ? 1500 : 1000;
      expect((await second.runs.get(runId)).counts).toEqual({ rowsDone, rowsFailed: 0 });
    }
    await second.runs.resume(atLast[0]!.runId);
    await until(first, atLast[0]!.runId, 'completed');
    expect(await first.outputs(atLast[0]!.runId)).toMatchObject(rowsOf(1_500));
    await second.runs.resume(pausing.runId);
    await until(first, pausing.runId, 'completed');
    expect(await first.outputs(pausing.runId)).toMatchObject(rowsOf(2_500));
    await until(first, queued.runId, 'completed');
    const { startedAt, acceptedAt, finishedAt } = await recordOf(first, queued.runId);
    expect(Date.parse(finishedAt ?? startedAt) - Date.parse(acceptedAt)).toBeGreaterThanOrEqual(900);
  });

  it('loses and repeats nothing over pauses at any moment', async () => {
    const [first, second] = await open();
    const { runId } = await first.start('quick', rowsOf(8_000));
    const move = (act: Promise<unknown>): Promise<void> =>
      act.then(
        () => undefined,
        (error: unknown) => expect(error).toMatchObject({ code: 'move_not_allowed' }),
      );
    const ended = async (): Promise<number> => (await second.runs.get(runId)).counts.rowsDone;
    for (let pauses = 0; (await ended()) < 8_000; pauses += 1) {
      const { runs } = pauses % 2 === 0 ? first : second;
      await move(runs.pause(runId));
      // Every second time it is resumed while rows are still under way.
      if (pauses % 2 === 0) await until(first, runId, /paused|completed/);
      const before = await ended();
      await move(runs.resume(runId));
      if (before < 8_000) await expect.poll(ended, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before);
    }
    await until(first, runId, 'completed');
    expect(await second.outputs(runId)).toMatchObject(rowsOf(8_000));
  });

  it('runs an hour of waiting at once on a virtual clock', async () => {
    const [first, second] = await open();
    const { runId } = await first.start('waiting', rowsOf(1_500), { clock: 'virtual' });
    await until(second, runId, 'completed');
    expect(await second.outputs(runId)).toMatchObject(rowsOf(1_500));
  });

  it('pauses a run whose tokens are used up, as often as they are', async () => {
    const upstream = await startUpstream({ '/v1/chat/completions': json(answerOfModel) });
    const pair = await open();
    const [first, second] = pair;
    const { runId } = await first.start(await addCalling(pair, (id) => asking(id, upstream)), rowsOf(100));
    let pauses = 0;
    for (;;) {
      await until(second, runId, /paused|completed/);
      const { status, spentBudget } = await recordOf(second, runId);
      if (status === 'completed') break;
      pauses += 1;
      expect(spentBudget?.used).toBeGreaterThanOrEqual(1_000 * pauses);
      if (pauses === 1) expect(upstream.calls.length).toBeLessThan(100);
      await second.runs.resume(runId);
    }
    expect(pauses).toBeGreaterThanOrEqual(2);
    expect(await second.outputs(runId)).toMatchObject(rowsOf(100));
    expect(upstream.keys().size).toBe(100);
  });

  it('keeps traces of rows anywhere in a run', async () => {
    const [first, second] = await open();
    const { runId } = await first.start('skipping', withFailures(2_500, [2_099]));
    await until(second, runId, 'completed');
    const read = createTraceHandlers(second.rooms)['run.trace'];
    const ends = async (row: number) => (await read({ runId, row }))?.nodes.map(({ end }) => end);
    expect(await ends(1)).toEqual(['done', 'done', 'done']);
    expect(await ends(2_100)).toEqual(['done', 'failed', 'not reached']);
    expect((await second.runs.get(runId)).counts).toEqual({ rowsDone: 2_499, rowsFailed: 1 });
  });

  it('labels a run, pauses a queued one, and cancels it', async () => {
    const [first, second] = await open();
    const { runId } = await first.start('quick', rowsOf(2), { scenario: readScenario('queued-for=1h') });
    expect((await second.runs.label(runId, { name: 'late' })).run.labels).toEqual({ name: 'late' });
    expect((await second.runs.pause(runId)).run.status).toBe('paused');
    expect((await first.runs.resume(runId)).run.status).toBe('queued');
    expect((await second.runs.cancel(runId)).run).toMatchObject({
      status: 'cancelled',
      labels: { name: 'late' },
    });
    expect((await first.runs.get(runId)).counts).toEqual({ rowsDone: 0, rowsFailed: 0 });
  });
});

describe.skipIf(whyNoPostgres !== undefined)('a team, as a server alone,', { timeout: 60_000 }, () => {
  it('ends a run at its first failed row, skips rows, and repeats them', async () => {
    const reported = [];
    for (const [, open] of backends) {
      const [first, second] = await open();
      const rows = withFailures(6_000, [3_456, 3_500, 5_999]);
      const failing = await first.start('failing', rows);
      await until(second, failing.runId, 'failed');
      const record = await recordOf(second, failing.runId);
      const { counts } = await second.runs.get(failing.runId);
      const outputs = await second.outputs(failing.runId);
      const numbers = outputs.map((output) => (output as { n: number } | undefined)?.n);
      expect(numbers.slice(0, 3_456)).toEqual(rowsOf(3_456).map(({ n }) => n));
      const skipping = await first.start('skipping', rows);
      await until(second, skipping.runId, 'completed');
      const failures = await second.runs.readFailures(skipping.runId, 9);
      const again = await second.runs.rerun(skipping.runId, 'failed', { kind: 'cli' });
      await until(first, again.run.runId, /completed|failed/);
      const whole = await second.runs.rerun(skipping.runId, 'all', { kind: 'cli' });
      await until(first, whole.run.runId, 'completed');
      expect(await first.outputs(whole.run.runId)).toEqual(await second.outputs(skipping.runId));
      reported.push({
        error: record.status === 'failed' ? record.error : undefined,
        failed: numbers[3_456],
        rowsFailed: counts.rowsFailed > 0,
        skipped: (await second.runs.get(skipping.runId)).counts,
        failures: failures.map(({ row, nodeId, message }) => ({ row, nodeId, message })),
        again: (await first.runs.get(again.run.runId)).counts,
      });
    }
    expect(reported[1]).toEqual(reported[0]);
  });

  it('cancels and pauses runs whose only worker is gone, once its lease is over', async () => {
    const databaseUrl = (await createTestDatabase()).url;
    const openBackend = backendOf(databaseUrl, { name: 'one', slots: 0 });
    const server = await openTestServices(flows, { openBackend });
    const worker = await startTeamWorker(databaseUrl);
    const cancelled = await server.start('waiting', rowsOf(3));
    const paused = await server.start('waiting', rowsOf(3));
    await until(server, cancelled.runId, 'running');
    await until(server, paused.runId, 'running');
    await worker.kill();
    expect((await server.runs.pause(paused.runId)).run.status).toBe('pausing');
    const cancels = server.runs.cancel(cancelled.runId);
    await endLeases(databaseUrl);
    expect((await cancels).run.status).toBe('cancelled');
    await until(server, paused.runId, 'paused');
    expect((await server.runs.cancel(paused.runId)).run.status).toBe('cancelled');
  }, 60_000);
});
