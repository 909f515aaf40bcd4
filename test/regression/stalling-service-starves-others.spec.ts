// A service that sent part of each body and then nothing used up the memory for bodies of all workflows.
import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { UpstreamRequest } from '../../src-main/executor/ports.ts';
import { testBroker } from '../builders/test-broker.ts';
import { bytes, startUpstream, type UpstreamAnswerer } from '../builders/upstream-server.ts';

const stall: UpstreamAnswerer = (_call, response) => void response.writeHead(200).write(Buffer.alloc(70_000));

it.each(['/ordinary', '/large'])(
  'a run whose service stands still does not keep another from %s',
  async (path) => {
    const upstream = await startUpstream({
      '/stall': stall,
      '/ordinary': bytes(Buffer.alloc(100_000)),
      '/large': bytes(Buffer.alloc(8_000_000)),
    });
    const { broker, call } = testBroker({ bounds: { stallMs: 300 } });
    const leave = new AbortController();
    // Each of the calls listens to it until it ends.
    setMaxListeners(0, leave.signal);
    const stalled = Array.from({ length: 150 }, () =>
      call({ url: upstream.url('/stall'), timeoutMs: 3_600_000 }, { signal: leave.signal }),
    );
    const first = await Promise.race(stalled);
    expect(first.kind === 'failed' && first.message).toContain(
      'its body stood still while other answers waited',
    );
    const request: UpstreamRequest = { method: 'GET', url: upstream.url(path), headers: [], timeoutMs: 5000 };
    const other = broker.upstream({ workflowId: 'other', classes: ['loopback'] });
    const origin = { row: 1, site: 'node', attempt: 1 };
    const answer = await other.call(request, { idempotencyKey: 'k', signal: leave.signal, origin });
    expect(answer.kind === 'failed' ? answer.message : answer.status).toBe(200);
    leave.abort(new Error('over'));
    await Promise.allSettled(stalled);
  },
);
