// The schema of a selection of rows, as clients send it.
import { z } from 'zod';
import { schemaOfType } from '../procedure.ts';
import type { JsonValue } from '../../base/json-value.ts';
import type { Column } from '../../domain/query/column.ts';
import { maxSelectedNumbers, type RowSelection } from '../../domain/query/row-selection.ts';
import { testedEnds } from '../../domain/results/node-cell.ts';
import { rowStates } from '../../domain/run/row-state.ts';

/** Maximum conditions of a selection. */
const maxConditions = 50;
/** Maximum values of a condition "one of". */
const maxValues = 200;

export const column = schemaOfType<Column>()(
  z.strictObject({ of: z.enum(['input', 'output']), name: z.string().max(1_000) }),
);

// Compared, never looked into: the request's own size is the bound.
const value = z.custom<JsonValue>();
const text = z.string().min(1).max(10_000);
const bound = z.union([z.number(), z.string().max(10_000)]).optional();

const ms = z.number().min(0).optional();

const valueTest = z.discriminatedUnion('is', [
  z.strictObject({ is: z.enum(['equals', 'notEquals']), value }),
  z.strictObject({ is: z.literal('oneOf'), values: z.array(value).max(maxValues) }),
  z.strictObject({ is: z.literal('contains'), text }),
  z.strictObject({ is: z.enum(['empty', 'notEmpty']) }),
  z.strictObject({ is: z.literal('between'), min: bound, max: bound, isMaxExcluded: z.boolean().optional() }),
]);

const condition = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('column'), column, test: valueTest }),
  z.strictObject({ of: z.literal('state'), states: z.array(z.enum(rowStates)).min(1) }),
  z.strictObject({
    of: z.literal('cause'),
    nodeId: z.string().max(500),
    message: z.string().max(20_000).optional(),
  }),
  z.strictObject({ of: z.literal('took'), minMs: ms, maxMs: ms }),
  z.strictObject({ of: z.literal('retried') }),
  z.strictObject({
    of: z.literal('node'),
    nodeId: z.string().max(500).optional(),
    ends: z.array(z.enum(testedEnds)).min(1),
  }),
  z.strictObject({ of: z.literal('text'), text }),
  z.strictObject({
    of: z.literal('rows'),
    numbers: z.array(z.number().int().min(1)).max(maxSelectedNumbers),
    isExcluded: z.boolean().optional(),
  }),
]);

export const rowSelection = schemaOfType<RowSelection>()(
  z.strictObject({
    latest: z.boolean().optional(),
    conditions: z.array(condition).max(maxConditions),
    sort: z
      .strictObject({ column: z.union([column, z.enum(['state', 'took'])]), descending: z.boolean() })
      .optional(),
    groupBy: column.optional(),
  }),
);
