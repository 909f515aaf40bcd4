// A row's call to the outside, from the worker's request until the answer is sent back. Who calls: RunExecution.
import type { Clock } from '../../base/clock.ts';
import { rowId } from '../../domain/run/row-id.ts';
import type { AnswerTurns } from './answer-turns.ts';
import type { Outstanding } from './outstanding.ts';
import type { Upstream } from '../ports.ts';
import type { CallAsked } from '../protocol.ts';
import type { Seat } from './seat.ts';

export type CallParts = {
  readonly runId: string;
  readonly clock: Clock;
  readonly upstream: Upstream;
  readonly outstanding: Outstanding;
  readonly answerTurns: AnswerTurns;
  /** A fault that is not the call's; the run cannot go on after it. */
  readonly onBroken: (error: unknown) => Promise<void>;
};

/** Resolves when the answer has left this process, or the row no longer waits for it. */
export async function answerCall(
  parts: CallParts,
  seat: Seat,
  { call, portion, place, request }: CallAsked,
): Promise<void> {
  const { runId, clock, upstream, outstanding, answerTurns } = parts;
  const startedAt = clock.monotonic();
  const aborter = new AbortController();
  const forget = outstanding.add(seat, portion, () => aborter.abort());
  const idempotencyKey = `${runId}/${rowId(runId, place.row)}/${place.site}`;
  let endTurn = (): void => undefined;
  const room = async (until: AbortSignal): Promise<void> => {
    endTurn = await answerTurns.take(until);
  };
  try {
    const answer = await upstream.call(request, { idempotencyKey, signal: aborter.signal, place, room });
    // The row may have ended in the very moment of the answer.
    if (aborter.signal.aborted) return;
    await seat.answer({ type: 'call-over', call, answer, ms: Math.round(clock.monotonic() - startedAt) });
  } catch (error) {
    if (!aborter.signal.aborted) await parts.onBroken(error);
  } finally {
    forget();
    endTurn();
  }
}
