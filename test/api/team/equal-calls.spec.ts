// Runs with `share: run`, on a server alone and on a team: recordings, pauses and cancels, and the end of what executes rows.
import { expect, it } from 'vitest';
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
  const answer: UpstreamAnswerer = (call, response) => slowly(50, json({ nth: (nth += 1) }))(call, response);
  const upstream = await startUpstream({
    '/eur': answer,
    '/gbp': answer,
    '/usd': answer,
    '/slow': slowly(1500, json({ nth: 7 })),
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
  return { upstream, pair, start };
}

it.each(aloneAndTeam)(
  '%s records, fills and replays equal calls once',
  async (_name, create) => {
    const { upstream, pair, start } = await open(create);
    const run = async (mode: RunMode, count = 90, id = 'rates') =>
      end(pair, await start(['eur', 'gbp', 'usd'], count, { mode, id }));
    const live = await run('live');
    expect([live.status, upstream.calls.length]).toEqual(['completed', 3]);
    expect(live.calls).toEqual([{ answered: 3, played: 0, shared: 87 }]);
    const filled = await run('fill', 8);
    expect([filled.status, upstream.calls.length]).toEqual(['completed', 6]);
    expect((await run('fill', 8)).outputs).toEqual(filled.outputs);
    const recorded = await run('record');
    expect([recorded.status, upstream.calls.length]).toEqual(['completed', 9]);
    expect(new Set(recorded.outputs.map((output) => JSON.stringify(output))).size).toBe(3);
    expect((await run('replay')).outputs).toEqual(recorded.outputs);
    expect(upstream.calls).toHaveLength(9);
    // A run that fills shares without the key, too.
    const plain = await run('fill', 90, 'plain');
    expect(plain.calls).toEqual([{ answered: 3, played: 87 }]);
    expect(upstream.calls).toHaveLength(12);
    expect((await run('fill', 90, 'plain')).outputs).toEqual(plain.outputs);
    expect([...upstream.keys().values()]).toEqual(Array(12).fill(1));
  },
  120_000,
);

it.each(aloneAndTeam)(
  '%s runs a shared workflow once, also over a pause, and replays its calls',
  async (_name, create) => {
    const { upstream, pair, start } = await open(create);
    const run = async (mode: RunMode) =>
      end(pair, await start(['eur', 'gbp', 'usd'], 45, { mode, id: 'body' }));
    const live = await run('live');
    expect([live.status, upstream.calls.length]).toEqual(['completed', 3]);
    expect(live.calls).toEqual([{ answered: 3, played: 0, shared: 42 }]);
    expect([...upstream.keys().keys()].every((key) => /\/share\/[0-9a-f]{32}\/ask$/.test(key))).toBe(true);

    const paused = await start(['slow'], 45, { id: 'body' });
    await expect.poll(() => upstream.count('/slow'), { timeout: 30_000 }).toBe(1);
    await pair.second.runs.pause(paused);
    await expect.poll(() => statusOf(pair, paused), { timeout: 30_000 }).toBe('paused');
    await pair.second.runs.resume(paused);
    const { outputs } = await end(pair, paused);
    expect(outputs).toEqual(Array(45).fill({ nth: 7 }));
    // Rows of a team that a pause finds between two nodes begin again, with the same keys.
    expect(upstream.count('/slow')).toBeLessThanOrEqual(2);
    expect([...upstream.keys().keys()].filter((key) => key.startsWith(paused))).toHaveLength(1);

    // Each segment runs it for its own recording.
    const recorded = await run('record');
    const { length: made } = upstream.calls;
    const replayed = await run('replay');
    expect([recorded.status, replayed.status]).toEqual(['completed', 'completed']);
    expect(new Set(replayed.outputs.map((output) => JSON.stringify(output))).size).toBe(3);
    expect(upstream.calls).toHaveLength(made);
  },
  120_000,
);

it.each(aloneAndTeam)(
  '%s pauses, stops and cancels while rows wait for a call',
  async (_name, create) => {
    const { upstream, pair, start } = await open(create);
    const paused = await start(['slow'], 60);
    await expect.poll(() => upstream.count('/slow'), { timeout: 30_000 }).toBe(1);
    await pair.second.runs.pause(paused);
    await expect.poll(() => statusOf(pair, paused), { timeout: 30_000 }).toBe('paused');
    await pair.second.runs.resume(paused);
    expect(await end(pair, paused)).toMatchObject({
      status: 'completed',
      outputs: Array(60).fill({ nth: 7 }) as unknown[],
    });
    expect(upstream.count('/slow')).toBe(1);

    const stopped = await start(['eur', 'lost'], 60);
    await expect.poll(() => upstream.count('/eur') + upstream.count('/lost'), { timeout: 30_000 }).toBe(2);
    await pair.restart();
    const { status, outputs } = await end(pair, stopped);
    expect(status).toBe('completed');
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(2);
    // A stop repeats a call that is under way.
    expect(upstream.count('/eur')).toBeLessThanOrEqual(2);
    expect(upstream.count('/lost')).toBe(2);

    const cancelled = await start(['slow'], 60);
    await expect.poll(() => upstream.count('/slow'), { timeout: 30_000 }).toBe(2);
    await pair.second.runs.cancel(cancelled);
    expect((await end(pair, cancelled)).status).toBe('cancelled');
    expect(upstream.count('/slow')).toBe(2);
  },
  120_000,
);
