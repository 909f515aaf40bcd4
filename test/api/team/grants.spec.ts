// A network that is revoked stops the calls of runs under way, on a server alone and on all workers of a team.
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { aloneAndTeam } from '../../builders/team-of-two.ts';
import { startUpstream } from '../../builders/upstream-server.ts';

const rows = 300;

it.each(aloneAndTeam)(
  '%s makes no further call of a run whose network is revoked',
  async (_name, open) => {
    const waiting: (() => void)[] = [];
    const upstream = await startUpstream({
      '/': (_call, response) =>
        void waiting.push(() =>
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
        ),
    });
    const pair = await open({
      flow: `rowbench: 1
id: flow
concurrency: 1
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${upstream.url('/')}" } }
  - { id: result, type: output, fields: { ok: =nodes.call.body.ok } }
`,
    });
    await pair.first.trust.grant('flow', { allow: ['loopback'], deny: [] });
    const { runId } = await pair.first.start(
      'flow',
      Array.from({ length: rows }, (_, n) => ({ n })),
    );
    await expect.poll(() => waiting.length, { timeout: 30_000 }).toBe(1);
    await pair.first.trust.grant('flow', { allow: [], deny: ['loopback'] });
    while (!isFinal((await pair.second.runs.get(runId)).run.status)) {
      waiting.pop()?.();
      await setTimeout(20);
    }
    expect(upstream.calls.length).toBeLessThan(rows / 2);
    const { counts } = await pair.second.runs.get(runId);
    expect(counts).toEqual({ rowsDone: upstream.calls.length, rowsFailed: rows - upstream.calls.length });
    const [failure] = await pair.second.runs.readFailures(runId, 1);
    expect(failure?.message).toContain('loopback');
  },
  60_000,
);
