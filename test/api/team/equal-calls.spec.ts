// Runs with `share: run`, on a server alone and on a team: recordings, pauses and cancels, and the end of what executes rows.
import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import type { RunMode } from '../../../src-main/domain/run/run-mode.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { aloneAndTeam, type ServicePair } from '../../builders/team-of-two.ts';
import {
  hang,
  inSequence,
  json,
  slowly,
  startUpstream,
  type UpstreamAnswerer,
} from '../../builders/upstream-server.ts';

const workflow = (id: string, url: string, shares = true): string => `rowbench: 1
id: ${id}
concurrency: 64
nodes:
  - { id: input, type: input }
  - { id: rate, type: http,${shares ? ' share: run,' : ''} request: { url: "${url}/{{ row.currency }}" } }
  - { id: out, type: output, fields: { nth: =nodes.rate.body.nth } }
`;

/** The same nodes with the call in the body of a node that rows share. */
const withBody = (id: string, url: string): string => `rowbench: 1
id: ${id}
concurrency: 64
nodes:
  - { id: input, type: input }
  - id: rate
    type: workflow
    share: run
    row: { currency: =row.currency }
    nodes:
      - { id: ask, type: http, request: { url: "${url}/{{ row.currency }}" } }
      - { id: got, type: output, fields: { nth: =nodes.ask.body.nth, dice: =Math.random() } }
  - { id: out, type: output, fields: { nth: =nodes.rate.nth } }
`;

/** Rows of which some fill a segment. */
const rowsOf = (currencies: readonly string[], count: number) =>
  Array.from({ length: count }, (_, row) => ({
    currency: currencies[row % currencies.length],
    text: 'x'.repeat(50_000),
  }));

const statusOf = async ({ second }: ServicePair, runId: string) => (await second.runs.get(runId)).run.status;

async function end(pair: ServicePair, runId: string) {
  await expect.poll(async () => isFinal(await statusOf(pair, runId)), { timeout: 30_000 }).toBe(true);
  return {
    status: await statusOf(pair, runId),
    outputs: await pair.second.outputs(runId),
    calls: (await pair.second.traces.nodes(runId)).nodes.flatMap(({ calls }) => calls ?? []),
  };
}

async function open(create: (workflows: Record<string, string>) => Promise<ServicePair>) {
  let nth = 0;
  const onPaused = { rates: deferred(), body: deferred() };
  const whenPaused =
    (id: keyof typeof onPaused): UpstreamAnswerer =>
    (call, response) =>
      void onPaused[id].promise.then(() => slowly(700, json({ nth: 7 }))(call, response));
  const answer: UpstreamAnswerer = (call, response) => slowly(50, json({ nth: (nth += 1) }))(call, response);
  const upstream = await startUpstream({
    '/eur': answer,
    '/gbp': answer,
    '/usd': answer,
    '/rates': whenPaused('rates'),
    '/body': whenPaused('body'),
    '/never': hang,
    '/lost': inSequence(hang, json({ nth: 8 })),
  });
  const url = upstream.url('');
  const pair = await create({
    rates: workflow('rates', url),
    plain: workflow('plain', url, false),
    body: withBody('body', url),
  });
  for (const id of ['rates', 'plain', 'body'])
    await pair.first.trust.grant(id, { allow: ['loopback'], deny: [] });
  const start = async (
    currencies: readonly string[],
    count: number,
    { mode = 'live', id = 'rates' }: { readonly mode?: RunMode; readonly id?: string } = {},
  ) => (await pair.first.start(id, rowsOf(currencies, count), { mode })).runId;
  return { upstream, pair, start, onPaused };
}

type Opened = Awaited<ReturnType<typeof open>>;

const keysOf = ({ upstream }: Opened, runId: string) =>
  [...upstream.keys().keys()].filter((key) => key.startsWith(runId));

async function recordAndReplay(opened: Opened) {
  const { upstream, pair, start } = opened;
  const run = async (mode: RunMode, { count = 45, id = 'rates' } = {}) => {
    const runId = await start(['eur', 'gbp', 'usd'], count, { mode, id });
    return { runId, ...(await end(pair, runId)) };
  };
  const live = await run('live');
  expect([live.status, upstream.calls.length]).toEqual(['completed', 3]);
  expect(live.calls).toEqual([{ answered: 3, played: 0, shared: 42 }]);
  const filled = await run('fill', { count: 8 });
  expect([filled.status, upstream.calls.length]).toEqual(['completed', 6]);
  expect((await run('fill', { count: 8 })).outputs).toEqual(filled.outputs);
  const recorded = await run('record');
  expect([recorded.status, upstream.calls.length]).toEqual(['completed', 9]);
  expect(new Set(recorded.outputs.map((output) => JSON.stringify(output))).size).toBe(3);
  expect((await run('replay')).outputs).toEqual(recorded.outputs);
  expect(upstream.calls).toHaveLength(9);
  // A run that fills shares without the key, too.
  const plain = await run('fill', { count: 8, id: 'plain' });
  expect(plain.calls).toEqual([{ answered: 3, played: 5 }]);
  expect(upstream.calls).toHaveLength(12);
  expect([...upstream.keys().values()]).toEqual(Array(12).fill(1));

  const body = await run('live', { id: 'body' });
  expect([body.status, upstream.calls.length]).toEqual(['completed', 15]);
  expect(body.calls).toEqual([{ answered: 3, played: 0, shared: 42 }]);
  const keys = keysOf(opened, body.runId);
  expect(keys.every((key) => /\/share\/[0-9a-f]{32}\/ask$/.test(key))).toBe(true);
  // A row that runs again runs the workflow itself, so that its call is seen.
  const { trace } = await pair.second.traces.again(body.runId, 45);
  expect(trace.calls).toHaveLength(1);
  expect(trace.calls[0]?.by).toBeUndefined();
  expect(upstream.calls).toHaveLength(16);
  expect(keysOf(opened, body.runId)).toEqual(keys);
  // Each segment runs it for its own recording.
  expect((await run('record', { id: 'body' })).status).toBe('completed');
  const { length: made } = upstream.calls;
  const replayed = await run('replay', { id: 'body' });
  expect(replayed.status).toBe('completed');
  expect(new Set(replayed.outputs.map((output) => JSON.stringify(output))).size).toBe(3);
  expect(upstream.calls).toHaveLength(made);
}

async function interrupt(opened: Opened) {
  const { upstream, pair, start } = opened;
  for (const id of ['rates', 'body'] as const) {
    const paused = await start([id], 45, { id });
    await expect.poll(() => upstream.count(`/${id}`), { timeout: 30_000 }).toBe(1);
    await pair.second.runs.pause(paused);
    // The call ends while the run pauses.
    opened.onPaused[id].resolve();
    await expect.poll(() => statusOf(pair, paused), { timeout: 30_000 }).toBe('paused');
    await pair.second.runs.resume(paused);
    const { outputs } = await end(pair, paused);
    expect(outputs).toEqual(Array(45).fill({ nth: 7 }));
    expect(keysOf(opened, paused)).toHaveLength(1);
  }
  expect(upstream.count('/rates')).toBe(1);
  // Rows of a team that a pause finds between two nodes of a shared workflow begin again, with the same keys.
  expect(upstream.count('/body')).toBeLessThanOrEqual(2);

  const cancelled = await start(['never'], 45);
  await expect.poll(() => upstream.count('/never'), { timeout: 30_000 }).toBe(1);
  await pair.second.runs.cancel(cancelled);
  expect((await end(pair, cancelled)).status).toBe('cancelled');
  expect(upstream.count('/never')).toBe(1);

  const before = upstream.count('/eur');
  const stopped = await start(['eur', 'lost'], 45);
  await expect
    .poll(() => upstream.count('/eur') + upstream.count('/lost'), { timeout: 30_000 })
    .toBe(before + 2);
  await pair.restart();
  const { status, outputs } = await end(pair, stopped);
  expect(status).toBe('completed');
  expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(2);
  // A stop repeats a call that is under way.
  expect(upstream.count('/eur')).toBeLessThanOrEqual(before + 2);
  expect(upstream.count('/lost')).toBe(2);
}

it.each(aloneAndTeam)(
  '%s makes equal calls and shared workflows once: recorded, played, paused, stopped and cancelled',
  async (_name, create) => {
    const opened = await open(create);
    await recordAndReplay(opened);
    await interrupt(opened);
  },
  120_000,
);
