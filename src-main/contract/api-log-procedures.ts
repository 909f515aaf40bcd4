import { z } from 'zod';
import type { Advice, CallDetail, CallsView, HarView, LimitsView } from './api-log-views.ts';
import { nothing, procedure, type Nothing } from './procedure.ts';

const number = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const oneCall = z.strictObject({ number });

/** About 400 KB of calls. */
const maxCallsAtOnce = 1_000;

type CallRange = { after?: number; before?: number; limit?: number };

export const apiLogProcedures = {
  /** Newest first; with `after`, the next ones after it. */
  'calls.list': procedure<CallRange, CallsView>(
    z.strictObject({
      after: number.exactOptional(),
      before: number.exactOptional(),
      limit: z.number().int().min(1).max(maxCallsAtOnce).exactOptional(),
    }),
  ),
  /** With headers and the beginnings of both bodies. */
  'calls.show': procedure<{ number: number }, CallDetail>(oneCall),
  /** As HTTP Archive entries: about 1 MB of them, from the first number on. */
  'calls.har': procedure<{ numbers: number[] }, HarView>(
    z.strictObject({ numbers: z.array(number).max(2_000) }),
  ),
  /** Makes the call once more, in the name of its key; the answer is the new call's number. */
  'calls.replay': procedure<{ number: number }, { number: number }>(oneCall),
  /** Advice on mistakes that clients make, the newest first. */
  'calls.advice': procedure<Nothing, readonly Advice[]>(nothing),
  'limits.show': procedure<Nothing, LimitsView>(nothing),
};
