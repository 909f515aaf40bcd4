// What differs between the results of two runs, or of a run and the rows of its chain before it.
import { z } from 'zod';
import { answer, oneRun, schemaOfType, viewer, type ValueOf } from '../procedure.ts';
import { column } from './row-selection.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import {
  pairOutcomes,
  type FieldRule,
  type OutcomeFilter,
  type RowMatching,
} from '../../domain/query/compare-runs.ts';
import type {
  ComparisonPartner,
  ComparisonStepView,
  RunComparisonView,
} from '../../domain/query/comparison-views.ts';
import { trendNames, type Direction } from '../../domain/query/value-trends.ts';

/** Maximum differing rows that one call lists. */
export const maxListedRows = 1_000;
/** Maximum fields of the input that rows of a comparison have in the answer. */
export const maxComparedInputs = 8;

const name = z.string().max(1_000);
/** A run's id, or 4 or more characters of its beginning or end; with `~N`, its chain up to attempt N. */
const side = lookupText.max(72);
const comparedRuns = {
  firstRunId: side,
  secondRunId: side,
  /** Absent: by number for two runs of which one repeats the other, or both the same one; else by position. */
  matching: schemaOfType<RowMatching>()(z.union([z.enum(['number', 'position']), column])).optional(),
  rules: z
    .array(
      schemaOfType<FieldRule>()(
        z.discriminatedUnion('rule', [
          z.strictObject({ name, rule: z.literal('ignore') }),
          z.strictObject({ name, rule: z.literal('tolerance'), tolerance: z.number().nonnegative() }),
          z.strictObject({ name, rule: z.literal('ignoreCase') }),
        ]),
      ),
    )
    .max(200)
    .optional(),
  /** Absent: no number is better or worse than another. */
  directions: z
    .array(schemaOfType<Direction>()(z.strictObject({ name, better: z.enum(['higher', 'lower']) })))
    .max(50)
    .optional(),
};
const comparisonInput = z.strictObject({
  ...comparedRuns,
  /** Differing rows that are listed at most; absent: 20. */
  limit: z.number().int().min(0).max(maxListedRows).optional(),
});
export type ComparisonInput = ValueOf<typeof comparisonInput>;
const comparisonPageInput = z.strictObject({
  ...comparedRuns,
  /** Absent: the rows that differ. */
  outcome: schemaOfType<OutcomeFilter>()(z.enum([...pairOutcomes, 'both'])).optional(),
  /** Only changed rows in which the field differs. */
  field: name.optional(),
  /** Only changed rows of the trend. */
  trend: z.enum(trendNames).optional(),
  /** Absent: in the order of the first run. */
  order: z.literal('worst').optional(),
  /** Fields of the input that rows have in the answer, besides their label. Absent: rows have no label either. */
  inputs: z.array(name).max(maxComparedInputs).optional(),
  /** Counts the rows that the filter leaves, from 1. */
  from: z.number().int().min(1).max(1_000_000_000),
  count: z.number().int().min(0).max(500),
  /** Version of an earlier answer, so that rows which have ended since change nothing. */
  version: lookupText.max(200).optional(),
  /** Values are not cut. */
  isWhole: z.boolean().optional(),
});
export type ComparisonPageInput = ValueOf<typeof comparisonPageInput>;

export const comparisonProcedures = {
  'run.compare': viewer(comparisonInput, answer<RunComparisonView>),
  /** Some rows of a comparison. Answers after a quarter of a second, ready or not. */
  'run.comparePage': viewer(comparisonPageInput, answer<ComparisonStepView>),
  /** The comparisons that are offered for a run, the best one first. */
  'run.comparePartners': viewer(oneRun, answer<readonly ComparisonPartner[]>),
};
