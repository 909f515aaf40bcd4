// The two sides of a comparison as the page names them, and the comparisons that are offered for a run.
import type { ChainView, PartnerReason, RunView } from '#contract';

/** A side in an address: the run, and up to which attempt of its chain; absent: the run alone. */
export function sideOf(text: string): { readonly runId: string; readonly upTo?: number } {
  const [, runId = text, upTo] = /^(.+)~(\d+)$/.exec(text) ?? [];
  return upTo === undefined ? { runId } : { runId, upTo: Number(upTo) };
}

export const partnerTitles: Readonly<Record<PartnerReason, string>> = {
  before: 'The rows before this attempt',
  repeated: 'The run that it repeats',
  pinned: 'The last pinned run',
  previous: 'The run before it',
};

const partTexts: Readonly<Record<NonNullable<RunView['part']>, string>> = {
  sample: 'sample',
  rest: 'rest of the rows',
  open: 'open rows',
  rows: 'selected rows',
  edited: 'fixed rows',
};

/** `attempt 3 of 4 · fixed rows`, `as it was before attempt 3`; undefined for a run that is a chain by itself. */
export function attemptText(side: string, { attempts }: ChainView): string | undefined {
  const { runId, upTo } = sideOf(side);
  if (upTo !== undefined)
    return upTo < attempts.length ? `as it was before attempt ${upTo + 1}` : `all ${upTo} attempts`;
  const at = attempts.findIndex((attempt) => attempt.runId === runId);
  if (attempts.length < 2 || at < 0) return undefined;
  const part = attempts[at]?.part;
  return `attempt ${at + 1} of ${attempts.length}${part === undefined ? '' : ` · ${partTexts[part]}`}`;
}
