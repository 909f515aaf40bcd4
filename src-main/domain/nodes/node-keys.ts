// The keys of a node that do not depend on its type.
import { z } from 'zod';
import { durationForm, durationPattern, parseDuration } from '../duration.ts';
import { fieldKind, initialValue } from './field-kind.ts';
import { maxAttempts, maxConcurrentItems } from './max-attempts.ts';
import { failureSlot } from './failure-slots.ts';
import { mockSlot } from './mock.ts';
import { refuse } from './slot-problems.ts';
import type { Slots } from './slots.ts';

/** A node's id is a JavaScript name, so that `nodes.<id>` can be written. */
const nodeIdPattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export const nodeId = z
  .string()
  .regex(nodeIdPattern, 'A node id is a letter or "_", then letters, digits and "_", 64 in all at most')
  // Own data properties of this name are a trap in too many programs that read outputs.
  .refine((id) => id !== '__proto__', 'This name cannot be a node id')
  .meta({ description: 'The name under which other nodes read this one: `nodes.<id>`.', ...fieldKind('id') });

type DurationBounds = {
  readonly minMs: number;
  readonly maxMs: number;
  /** The bounds in words: "up to 1h". */
  readonly says: string;
};

/** A fixed length of time; becomes milliseconds. */
const durationSlot = (bounds: DurationBounds) =>
  z
    .string()
    .transform((text, context): number => {
      const ms = parseDuration(text);
      if (ms === undefined) return refuse(context, [{ message: `Expected ${durationForm}` }]);
      if (ms >= bounds.minMs && ms <= bounds.maxMs) return ms;
      return refuse(context, [{ message: `Expected a duration ${bounds.says}` }]);
    })
    .meta({ pattern: durationPattern.source, ...fieldKind('duration') });

const longestTimeoutMs = 3_600_000;

const retry = z.strictObject({
  attempts: z
    .int()
    .min(1)
    .max(maxAttempts)
    .meta(initialValue(3))
    .describe('Attempts in all, the first included.'),
  delay: durationSlot({ minMs: 0, maxMs: longestTimeoutMs, says: 'up to 1h' })
    .default(1000)
    .meta(initialValue('1s'))
    .describe('Pause before the second attempt. Without it: 1s.'),
  backoff: z
    .number()
    .min(1)
    .max(10)
    .default(1)
    .describe('Each further pause is this many times the one before. Without it: 1.'),
  on: z
    .array(failureSlot)
    .min(1)
    .exactOptional()
    .meta(initialValue(['5xx', 'network']))
    .describe(
      'Only for nodes that call a service or a workflow: the failures after which the node tries again. A status (`429`), all of a class (`4xx`, `5xx`), `network` (no answer, or only a part of one) or `answer` (one that cannot be used, such as invalid JSON). Without it: 408, 429, 5xx, network and answer.',
    ),
});

const timeout = durationSlot({ minMs: 1, maxMs: longestTimeoutMs, says: 'above 0 and up to 1h' });

/** `fail`, or the value of a node that has failed. */
const goOnSlot = (onError: Slots) =>
  z.union([
    z.literal('fail').meta({ title: 'Fail the row' }),
    z
      .strictObject({
        value: onError
          .value()
          .describe(
            'Taken as the value of the node. It may read `error`: `{ message, status, body }`, with the status and body of an answer, if there was one. With `each` it is the value of one item, and may read `item` and `index`.',
          ),
      })
      .meta({ title: 'Go on with a value' }),
  ]);

/**
 * @param slots of a row: `when` and `each` are worked out before there is an item
 * @param onError of a failure, with the names of the node's own keys
 */
export const nodeKeys = (slots: Slots, onError: Slots) => ({
  when: slots
    .expression()
    .exactOptional()
    .meta({ title: 'Only if', ...initialValue(true) })
    .describe('The node runs only when this expression holds; otherwise it has no value.'),
  each: slots
    .expression()
    .exactOptional()
    .meta({ title: 'For each', ...initialValue('=[]') })
    .describe(
      'An expression that gives a list: the node runs once for each `item` (number `index`, from 0) and its value is the list of results. `retry`, `timeout` and `onError` apply to each item.',
    ),
  concurrency: z
    .int()
    .min(1)
    .max(maxConcurrentItems)
    .exactOptional()
    .meta({ title: 'At once' })
    .describe(
      'Only with `each`: items in flight at once while they wait for calls or delays. Results keep the order of the list. Without it: 1, one item after the other.',
    ),
  retry: retry
    .exactOptional()
    .meta({ title: 'Try again' })
    .describe(
      'Try again when the node fails. A call that Rowbench refuses is never tried again, and without `on` nor is a status from 400 to 499 other than 408 and 429.',
    ),
  timeout: timeout
    .exactOptional()
    .meta({ title: 'Time limit', ...initialValue('30s') })
    .describe('Longest time for one attempt.'),
  onError: goOnSlot(onError)
    .exactOptional()
    .meta({ title: 'If it fails' })
    .describe(
      'When the node, or with `each` one item, has failed for good: `fail` the row (as without it), or go on with a value.',
    ),
  after: z
    .union([z.string(), z.array(z.string())])
    .meta(fieldKind('after'))
    .exactOptional()
    .meta({ title: 'Runs after' })
    .describe('Ids of nodes that must have run before. Nodes that this one reads need no entry.'),
  mock: mockSlot
    .exactOptional()
    .meta({ title: 'Mocks' })
    .describe(
      'Canned answers by name, taken only in a run that asks for them. An answer is the value of the node, or `{ error: text }` to fail it, or `{ attempts: [...] }` with a `{ value }` or `{ error }` for each attempt.',
    ),
});

export type NodeKey = keyof ReturnType<typeof nodeKeys>;
