// Slots that name failures of calls: by their status, by a class of statuses, and by how they came about.
import { z } from 'zod';
import { didYouMean } from '../closest-name.ts';
import { statusClasses } from '../upstream/status-class.ts';

/** Failures without a status of their own. `network`: no whole answer; `answer`: one that cannot be used. */
export const otherFailures = ['network', 'answer'] as const;

/** An error status, or a class of them. */
export const statusSlot = namesOrStatus(z.int().min(100).max(599), statusClasses);

/** A failure of a call after which another attempt may follow. */
export const failureSlot = namesOrStatus(z.int().min(400).max(599), [...statusClasses, ...otherFailures]);

function namesOrStatus<const T extends string>(status: z.ZodInt, names: readonly T[]) {
  const expected = `Expected a status such as 429, or one of ${names.join(', ')}`;
  return z.union([status, z.enum(names)], {
    error: ({ input }) => `${expected}${typeof input === 'string' ? didYouMean(input, names) : ''}`,
  });
}
