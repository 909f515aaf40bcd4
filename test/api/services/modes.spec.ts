// A run's mode is one of its inputs: the run uses the requested mode, and so does a restart or a rerun.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { emptyCassette } from '../../../src-main/domain/cassette/cassette.ts';
import type { RunMode } from '../../../src-main/domain/run/run-mode.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import type { UpstreamRequest } from '../../../src-main/executor/ports.ts';
import { FillingUpstream } from '../../../src-main/executor/upstream/cassette/replaying-upstream.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { bytes, hang, inSequence, json, slowly, startUpstream } from '../../builders/upstream-server.ts';

const workflow = (url: string, more = ''): string => `rowbench: 1
id: flow
concurrency: 16
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: company
    type: http
    request: { url: "${url}/{{ row.name }}" }
    ${more}
  - { id: result, type: output, fields: { size: =nodes.company.body.size, type: "=nodes.company.headers['x-kept'] ?? ''" } }
`;

async function ended({ runs }: TestServices, runId: string) {
  await vi.waitFor(async () => expect(isFinal((await runs.get(runId)).run.status)).toBe(true), 10_000);
  return (await runs.get(runId)).run;
}

async function openFlow(text: string, dataDir?: string): Promise<TestServices> {
  const services = await openTestServices({ flow: text }, dataDir === undefined ? {} : { dataDir });
  await services.trust.grant('flow', { allow: ['loopback'], deny: [] });
  return services;
}

const named = (names: readonly string[]) => names.map((name) => ({ name }));
const cassetteOf = ({ dataDir }: TestServices): Promise<string> =>
  readFile(join(dataDir, 'workflows/flow.cassette.json'), 'utf8');

describe('a run that is recorded', () => {
  it('makes the same cassette twice over, whatever order rows are answered in', async () => {
    const names = Array.from({ length: 120 }, (_, row) => `n${row % 40}`);
    const upstream = await startUpstream(
      Object.fromEntries(
        names.map((name, row) => [`/${name}`, slowly((row * 7) % 13, json({ size: row % 40 }))]),
      ),
    );
    const services = await openFlow(workflow(upstream.url('')));
    const texts: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { runId } = await services.start('flow', named(names), { mode: 'record' });
      expect((await ended(services, runId)).status).toBe('completed');
      texts.push(await cassetteOf(services));
    }
    expect(texts[1]).toBe(texts[0]);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ entries: { length: 40 } });
    expect(upstream.calls).toHaveLength(240);
  });

  it('gives rows what its replay gives them, call for call, without a call', async () => {
    const upstream = await startUpstream({
      '/acme': inSequence(json({}, 503), json({ size: 1 }, 200, { 'x-kept': 'no' })),
      '/bolt': bytes('no JSON', { 'content-type': 'application/json' }),
    });
    const services = await openFlow(workflow(upstream.url(''), 'retry: { attempts: 3, delay: 1ms }'));
    const recorded = await services.start('flow', named(['acme', 'bolt']), { mode: 'record' });
    await ended(services, recorded.runId);
    const calls = upstream.calls.length;
    const replayed = await services.runs.rerun(recorded.runId, 'all', { kind: 'cli' });
    expect(replayed.run.mode).toBe('record');
    await ended(services, replayed.run.runId);
    expect(upstream.calls.length).toBeGreaterThan(calls);

    const again = upstream.calls.length;
    const { runId } = await services.start('flow', named(['acme', 'bolt']), { mode: 'replay' });
    await ended(services, runId);
    expect(await services.outputs(runId)).toEqual(await services.outputs(recorded.runId));
    expect(await services.runs.readFailures(runId, 9)).toEqual(
      await services.runs.readFailures(recorded.runId, 9),
    );
    expect(upstream.calls).toHaveLength(again);
    const answeredBy = async (id: string) =>
      (await services.traces.stored(id, 1))?.trace.calls.map(({ by }) => by);
    expect(await answeredBy(recorded.runId)).toEqual([undefined, undefined]);
    expect(await answeredBy(runId)).toEqual(['cassette']);
  });

  it('notes how many of its requests got different answers', async () => {
    const upstream = await startUpstream({
      '/acme': inSequence(json({ size: 1 }), json({ size: 2 }), json({ size: 3 })),
      '/bolt': json({ size: 4 }),
    });
    const services = await openFlow(workflow(upstream.url('')));
    const { runId } = await services.start('flow', named(['acme', 'bolt', 'acme', 'bolt', 'acme']), {
      mode: 'record',
    });
    expect(await ended(services, runId)).toMatchObject({ status: 'completed', differingRequests: 1 });
    const again = await services.start('flow', named(['bolt', 'bolt']), { mode: 'record' });
    expect(await ended(services, again.runId)).not.toHaveProperty('differingRequests');
  });

  it('goes on recording after a restart, and keeps what it had', async () => {
    const upstream = await startUpstream({
      '/acme': json({ size: 1 }),
      '/late': inSequence(hang, json({ size: 2 })),
    });
    const text = workflow(upstream.url(''));
    const first = await openFlow(text);
    const { runId } = await first.start('flow', named(['acme', 'late']), { mode: 'record' });
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(2), 5000);
    await first.close();

    const second = await openFlow(text, first.dataDir);
    expect((await ended(second, runId)).mode).toBe('record');
    const { entries } = JSON.parse(await cassetteOf(second)) as { entries: { responses: unknown[] }[] };
    expect(entries.map(({ responses }) => responses)).toMatchObject([
      [{ status: 200, json: { size: 1 } }],
      [{ status: 200, json: { size: 2 } }],
    ]);
  });
});

describe('a run that fills in a recording', () => {
  it('calls for what is not recorded alone, keeps it, and counts both', async () => {
    const upstream = await startUpstream({ '/acme': json({ size: 1 }), '/bolt': json({ size: 2 }) });
    const services = await openFlow(workflow(upstream.url('')));
    const run = async (names: readonly string[], mode: RunMode) => {
      const { runId } = await services.start('flow', named(names), { mode });
      expect((await ended(services, runId)).status).toBe('completed');
      const { nodes } = await services.traces.nodes(runId);
      return { runId, calls: nodes.flatMap(({ calls }) => calls ?? []) };
    };
    expect((await run(['acme'], 'fill')).calls).toEqual([{ answered: 1, played: 0 }]);
    const mixed = await run(['acme', 'bolt', 'acme'], 'fill');
    expect(mixed.calls).toEqual([{ answered: 1, played: 2 }]);
    expect(upstream.calls).toHaveLength(2);
    const text = await cassetteOf(services);
    const whole = await run(['bolt', 'acme'], 'fill');
    expect(whole.calls).toEqual([{ answered: 0, played: 2 }]);
    expect(await cassetteOf(services)).toBe(text);
    // A row that runs again is played, and the replay of the run is the run.
    expect((await services.traces.again(mixed.runId, 2)).trace.calls.map(({ by }) => by)).toEqual([
      'cassette',
    ]);
    const replayed = await run(['acme', 'bolt', 'acme'], 'replay');
    expect(await services.outputs(replayed.runId)).toEqual(await services.outputs(mixed.runId));
    expect(upstream.calls).toHaveLength(2);
  });

  // Each row of the first run was a call: sharing began with the second run.
  it.each([1, 16])('asks once per request within its run (concurrency %i)', async (concurrency) => {
    const names = ['eur', 'usd', 'eur', 'gbp', 'eur', 'usd', 'gbp', 'eur'];
    const upstream = await startUpstream({
      '/eur': inSequence(json({}, 503), slowly(20, json({ size: 1 })), json({ size: 9 })),
      '/usd': slowly(20, json({ size: 2 })),
      '/gbp': slowly(20, json({ size: 3 })),
    });
    const text = workflow(upstream.url(''), 'retry: { attempts: 3, delay: 1ms }');
    const services = await openFlow(text.replace('concurrency: 16', `concurrency: ${concurrency}`));
    const { runId } = await services.start('flow', named(names), { mode: 'fill' });
    expect((await ended(services, runId)).status).toBe('completed');
    expect(upstream.calls).toHaveLength(4);
    const sizes: Record<string, number> = { eur: 1, usd: 2, gbp: 3 };
    const outputs = names.map((name) => ({ size: sizes[name], type: '' }));
    expect(await services.outputs(runId)).toEqual(outputs);
    const again = await services.start('flow', named(names), { mode: 'replay' });
    expect((await ended(services, again.runId)).status).toBe('completed');
    expect(await services.outputs(again.runId)).toEqual(outputs);
    expect(upstream.calls).toHaveLength(4);
  });

  // Regression: rows with another header, and nodes with other credentials, got the answer of the first row.
  it('asks once more for a request with other headers, credentials or expected statuses', async () => {
    const recording = scriptedUpstream((_, nth) => jsonAnswer(nth));
    const filling = new FillingUpstream(emptyCassette, 'run-1', async () => recording);
    const requests: readonly Partial<UpstreamRequest>[] = [
      {},
      { headers: [['x-tenant', 'one']] },
      { headers: [['x-tenant', 'two']] },
      { auth: { secret: 'ONE' } },
      { auth: { secret: 'TWO' } },
      { expect: [404] },
    ];
    const call = async (row: number): Promise<unknown> => {
      const request = { method: 'GET', url: 'https://a.example/', headers: [], ...requests[row] };
      const { signal } = new AbortController();
      const origin = { row, site: 'call', attempt: 1 };
      const answer = await filling.call(request, { idempotencyKey: 'key', signal, origin });
      return answer.kind === 'answered' && JSON.parse(Buffer.from(answer.body).toString());
    };
    for (const row of requests.keys()) expect(await call(row)).toBe(row + 1);
    for (const row of requests.keys()) expect(await call(row)).toBe(row + 1);
  });

  it('keeps no answer of a call that failed, and goes on after a restart', async () => {
    const upstream = await startUpstream({
      '/acme': json({ size: 1 }),
      '/late': inSequence(hang, json({ size: 2 })),
    });
    const first = await openFlow(workflow(upstream.url('')));
    const { runId } = await first.start('flow', named(['acme', 'late']), { mode: 'fill' });
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(2), 5000);
    await first.close();
    const second = await openFlow(workflow(upstream.url('')), first.dataDir);
    expect((await ended(second, runId)).mode).toBe('fill');
    const { entries } = JSON.parse(await cassetteOf(second)) as { entries: unknown[] };
    expect(entries).toHaveLength(2);
  });
});

describe('a run that is replayed', () => {
  it('fails without a cassette, and says so', async () => {
    const services = await openFlow(workflow('https://api.example.com'));
    const { runId } = await services.start('flow', named(['acme']), { mode: 'replay' });
    expect(await ended(services, runId)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('There is no cassette flow.cassette.json') as string,
    });
  });

  it('fails a row whose call was not recorded at its first attempt', async () => {
    const upstream = await startUpstream({ '/acme': json({ size: 1 }) });
    const services = await openFlow(workflow(upstream.url(''), 'retry: { attempts: 9, delay: 1h }'));
    const recorded = await services.start('flow', named(['acme']), { mode: 'record' });
    await ended(services, recorded.runId);
    const { runId } = await services.start('flow', named(['acme', 'bolt']), { mode: 'replay' });
    expect((await ended(services, runId)).status).toBe('completed');
    expect(await services.runs.readFailures(runId, 9)).toMatchObject([
      {
        row: 2,
        attempts: 1,
        message: `no recorded answer to GET ${upstream.url('/bolt')} in flow.cassette.json: it has GET ${upstream.url('/acme')} (not retried)`,
      },
    ]);
    expect(upstream.calls).toHaveLength(1);
  });
});

describe('a run that is answered by mocks', () => {
  it('makes no call, in a rerun neither', async () => {
    const upstream = await startUpstream();
    const services = await openFlow(
      workflow(upstream.url(''), 'mock: { large: { status: 200, headers: {}, body: { size: 9 } } }'),
    );
    const first = await services.start('flow', named(['acme', 'bolt']), { mode: 'mocks' });
    await ended(services, first.runId);
    const { run } = await services.runs.rerun(first.runId, 'all', { kind: 'cli' });
    await ended(services, run.runId);
    for (const { runId } of [first, run])
      expect(await services.outputs(runId)).toMatchObject([{ size: 9 }, { size: 9 }]);
    expect(upstream.calls).toHaveLength(0);
  });
});
