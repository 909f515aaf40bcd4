// An outside service that rows call. It answers when the test lets it.
import type { Upstream } from '../../../src-main/executor/ports.ts';
import type { CallRequested } from '../../../src-main/executor/protocol.ts';
import type { Pending } from './pending.ts';

/** The message with which a worker requests the call of a row. */
export const callOf = (call: number, batchId: number, row: number): CallRequested => ({
  type: 'call',
  call,
  batchId,
  origin: { row, site: 'wait', attempt: 1 },
  request: { method: 'POST', url: 'https://outside.example/', headers: [], timeoutMs: 60_000 },
});

/** Notes the calls that rows make; a call's end is reported through the returned function. */
type CallWatch = { onCall(runId: string, key: string, row: number): () => void };

/** For the calls of one run in one process. */
export const outsideDouble = (runId: string, pending: Pending, ledger: CallWatch): Upstream => ({
  call: (_request, { idempotencyKey, signal, origin }) => {
    const end = ledger.onCall(runId, idempotencyKey, origin.row);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        end();
        reject(new Error('called off'));
      });
      pending.add(() => {
        if (signal.aborted) return;
        end();
        resolve({ kind: 'answered', status: 200, headers: [], body: new Uint8Array() });
      });
    });
  },
});
