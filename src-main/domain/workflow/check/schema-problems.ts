import type { z } from 'zod';
import { offsetOf } from '../../nodes/slot-problems.ts';
import { missingValue, wording } from '../../nodes/wording.ts';
import type { FileProblem, PathStep } from '../file-problem.ts';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** Parses a part of the file that stands at `path`. */
export function checkPart<T>(schema: z.ZodType<T>, data: unknown, path: readonly PathStep[]): Checked<T> {
  const parsed = parse(schema, data);
  if (parsed === undefined) return { ok: false, problems: [{ message: 'Far too much is wrong here', path }] };
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, path)) };
}

/** Undefined where a long list of nonsense made more issues than zod can pass on. */
function parse<T>(schema: z.ZodType<T>, data: unknown): z.ZodSafeParseResult<T> | undefined {
  try {
    // The schemas live as long as one file is parsed, too short for compiled ones to pay.
    return schema.safeParse(data, { error: wording, jitless: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function problemsOf(issue: z.core.$ZodIssue, around: readonly PathStep[]): FileProblem[] {
  const path = [...around, ...issue.path.map(toStep)];
  if (issue.code === 'unrecognized_keys') {
    return issue.message
      .split('\n')
      .map((message, index) => ({ message, path: [...path, issue.keys[index] ?? ''], atKey: true }));
  }
  if (issue.code === 'invalid_union') {
    const [meant] = issue.errors
      .filter((errors) => !errors.some(isOfAnotherKind))
      .toSorted((one, other) => foreignKeys(one) - foreignKeys(other));
    if (meant !== undefined) return meant.flatMap((error) => problemsOf(error, path));
  }
  const offset = offsetOf(issue);
  return [{ message: named(issue.message, path), path, ...(offset === undefined ? {} : { offset }) }];
}

/** Number of the value's own keys that this branch of the union does not know. */
const foreignKeys = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => {
    const isOwn = issue.code === 'unrecognized_keys' && issue.path.length === 0;
    return sum + (isOwn ? issue.keys.length : 0);
  }, 0);

/** True if the value has another type than this branch of the union. */
const isOfAnotherKind = (issue: z.core.$ZodIssue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

/** Names a missing key in the message, because a missing key has no position of its own. */
function named(message: string, path: readonly PathStep[]): string {
  const key = path.at(-1);
  return message === missingValue && typeof key === 'string' ? `Missing key "${key}"` : message;
}

const toStep = (step: PropertyKey): PathStep => (typeof step === 'symbol' ? String(step) : step);
