// The interface's limits (its section 8), in calls a minute.
import type { LimitMode } from '../settings.ts';

/** The three operations of the interface. */
export type Operation = 'trigger' | 'status' | 'output';

/** Each limit by the name that the answer to a refused call has. */
export type LimitName = Operation | 'trigger-per-workflow' | 'status-per-run';

/** As published. An operation's own limit counts per key; the others count all keys together. */
export const publishedLimits: Readonly<Record<LimitName, number>> = {
  trigger: 50,
  'trigger-per-workflow': 30,
  status: 50,
  'status-per-run': 6,
  output: 50,
};

/** The limit of the workflow or run that an operation addresses; output has none. */
export const resourceLimits: Readonly<Record<Operation, LimitName | undefined>> = {
  trigger: 'trigger-per-workflow',
  status: 'status-per-run',
  output: undefined,
};

/** Calls a minute that a mode allows; undefined: as many as one likes. */
export function callsPerMinute(limit: LimitName, mode: LimitMode): number | undefined {
  if (mode === 'off') return undefined;
  return publishedLimits[limit] * (mode === 'published' ? 1 : mode.scale);
}

/** Label in answers for limits that are not the published ones: `off` or `10x`; undefined for the published ones. */
export function limitsLabel(mode: LimitMode): string | undefined {
  if (mode === 'published') return undefined;
  return mode === 'off' ? 'off' : `${mode.scale}x`;
}
