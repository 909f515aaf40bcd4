// Options of a run that the app starts, without its rows.
import { z } from 'zod';
import { runModes, type RunMode } from '../domain/run/run-mode.ts';
import { runId } from './run-inputs.ts';

export type StartInput = {
  readonly mode?: RunMode | undefined;
  /** The name of a mock by the node that it stands in for. */
  readonly mocks?: Readonly<Record<string, string>> | undefined;
  /** The run's scenario, as text. */
  readonly scenario?: string | undefined;
  /** The run whose rows these are, edited. */
  readonly rerunOf?: string | undefined;
};
export const startInput = z.strictObject({
  mode: z.enum(runModes).optional(),
  mocks: z.record(z.string().max(200), z.string().max(200)).optional(),
  scenario: z.string().max(2000).optional(),
  rerunOf: runId.optional(),
}) as z.ZodType<StartInput>;

/** The run that took the rows. */
export type StartedRun = { readonly runId: string; readonly rows: number };
