// Inputs of the procedures on rows of runs.
import { z } from 'zod';
import { rowFilters, type RowChoice } from '../domain/run/row-filter.ts';
import { runId } from './run-inputs.ts';

/** Pieces of the picture of a whole run at most: no screen has more lines. */
const maxPieces = 2000;

const rowNumber = z.number().int().min(1).max(100_000_000);
const choiceShape = {
  only: z.enum(rowFilters).optional(),
  slowMs: z.number().min(0).max(1e10).optional(),
};

/** `count` rows at most, from place `from` (from 1) of the run's rows, or of those that are picked out. */
export type RowsInput = RowChoice & {
  readonly runId: string;
  readonly from: number;
  readonly count: number;
  /** True: with the beginning of each node's value. */
  readonly values?: boolean | undefined;
};
export const rowsInput = z.strictObject({
  runId,
  from: rowNumber,
  count: z.number().int().min(1).max(1000),
  values: z.boolean().optional(),
  ...choiceShape,
}) as z.ZodType<RowsInput>;

/** @property pieces of the strip at most */
export type RunMinimapInput = { readonly runId: string; readonly pieces: number };
export const runMinimapInput = z.strictObject({
  runId,
  pieces: z.number().int().min(1).max(maxPieces),
}) as z.ZodType<RunMinimapInput>;

/** A row by its number, or by its place in the run. */
export type RowLocationInput = RowChoice & {
  readonly runId: string;
  readonly target: { readonly row: number } | { readonly position: number };
};
export const rowLocationInput = z.strictObject({
  runId,
  target: z.union([z.strictObject({ row: rowNumber }), z.strictObject({ position: rowNumber })]),
  ...choiceShape,
}) as z.ZodType<RowLocationInput>;
