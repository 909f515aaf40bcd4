// What every node may have, whatever its type.
import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.ts';
import { durationSlot } from './duration-slot.ts';
import { refuse } from './slot-problems.ts';
import { isJsonObject, type Slots } from './slots.ts';

/** A node's id is a JavaScript name, so that `nodes.<id>` can be written. */
export const nodeIdPattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const nodeId = z
  .string()
  .regex(nodeIdPattern, 'A node id is a letter or "_", then letters, digits and "_", 64 in all at most')
  // Own data properties of this name are a trap in too many programs that read outputs.
  .refine((id) => id !== '__proto__', 'This name cannot be a node id');

const longestTimeoutMs = 3_600_000;

/** @param slots of the row: `when` and `each` are worked out before there is an item. */
export const nodeKeys = (slots: Slots) => ({
  when: slots
    .expression()
    .describe('The node runs only when this expression holds; otherwise its value is undefined.'),
  each: slots
    .expression()
    .describe(
      'An expression that gives a list: the node runs once for each item (see `item`, `index`), its value is the list of results.',
    ),
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(20).describe('Attempts in all, the first included.'),
      delay: durationSlot({ minMs: 0, maxMs: longestTimeoutMs, says: 'up to 1h' })
        .default(1000)
        .describe('Pause before the second attempt. Default: 1s.'),
      backoff: z
        .number()
        .min(1)
        .max(10)
        .default(1)
        .describe('Each further pause is this many times the one before. Default: 1.'),
    })
    .describe('Try again when the node fails.'),
  timeout: durationSlot({ minMs: 1, maxMs: longestTimeoutMs, says: 'above 0 and up to 1h' }).describe(
    'Longest time for one attempt.',
  ),
  onError: z
    .union([
      z.literal('fail'),
      z.strictObject({ value: slots.value().describe('Taken as the value of the node.') }),
    ])
    .describe(
      'What to do when the node has failed for good: `fail` the row (default), or go on with a value.',
    ),
  after: z
    .union([z.string(), z.array(z.string())])
    .describe(
      'Ids of nodes that must have run before, for order alone. What an expression reads needs no entry.',
    ),
  mock: z
    .unknown()
    .transform((json, context): { readonly [name: string]: JsonValue } =>
      isJsonObject(json) ? json : refuse(context, [{ message: 'Expected names with canned answers' }]),
    )
    .meta({ type: 'object', additionalProperties: true })
    .describe('Canned answers by name, taken only in a run that asks for mocks.'),
});

export type NodeKey = keyof ReturnType<typeof nodeKeys>;

export const idKey = () => nodeId.describe('The name under which other nodes read this one: `nodes.<id>`.');
