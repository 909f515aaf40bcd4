// The key `repeat` of nodes that call something: pages that follow each other, and jobs that are asked for until they are done.
import { z } from 'zod';
import { initialValue } from './field-kind.ts';
import { repeatNames } from '../expressions/scope.ts';
import { maxRepeatedCalls, usualRepeatedCalls } from './max-attempts.ts';
import type { Slots } from './slots.ts';

/** @param next schema of what changes from one call to the next */
export function repeatSlot<N extends z.ZodType>(slots: Slots, next: (slots: Slots) => N) {
  const inside = slots.knowing(repeatNames);
  return z.strictObject({
    while: inside
      .expression()
      .meta({ title: 'While', ...initialValue(false) })
      .describe(
        'Another call follows while this expression holds. It reads the answer as `previous`, and the number of its call as `round`, from 1.',
      ),
    next: next(inside).exactOptional(),
    max: z
      .int()
      .min(1)
      .max(maxRepeatedCalls)
      .default(usualRepeatedCalls)
      .describe(`Calls in all, the first included. Without it: ${usualRepeatedCalls}.`),
    atMax: z
      .enum(['fail', 'stop'])
      .default('fail')
      .describe(
        'After `max` calls, where another one would follow: `fail` the node (as without it), or `stop` with what is there.',
      ),
    wait: inside
      .wait()
      .exactOptional()
      .meta(initialValue('1s'))
      .describe(
        'Pause before each further call, up to 24h, or an `=expression` in milliseconds. Without it: none.',
      ),
    collect: inside
      .expression()
      .exactOptional()
      .meta(initialValue('=previous'))
      .describe(
        'What is kept of each answer. The value of the node is the list of it; a list adds its entries, a missing value nothing. Without it, the value of the node is the last answer.',
      ),
  });
}
