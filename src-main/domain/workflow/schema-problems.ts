import type { z } from 'zod';
import { offsetOf } from '../nodes/slot-problems.ts';
import { wording } from '../nodes/wording.ts';
import type { FileProblem, PathStep } from './file-problem.ts';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** Parses a part of the file that stands at `path`. */
export function checkPart<T>(schema: z.ZodType<T>, data: unknown, path: readonly PathStep[]): Checked<T> {
  // The schemas live as long as one file is parsed, too short for compiled ones to pay.
  const parsed = schema.safeParse(data, { error: wording, jitless: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, path)) };
}

function problemsOf(issue: z.core.$ZodIssue, around: readonly PathStep[]): FileProblem[] {
  const path = [...around, ...issue.path.map(toStep)];
  if (issue.code === 'unrecognized_keys') {
    const lines = issue.message.split('\n');
    return issue.keys.map((key, index) => ({
      message: lines[index] ?? issue.message,
      path: [...path, key],
      atKey: true,
    }));
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((errors) => !errors.some(isOfAnotherKind));
    if (meant !== undefined) return meant.flatMap((error) => problemsOf(error, path));
  }
  const offset = offsetOf(issue);
  return [{ message: named(issue.message, path), path, ...(offset === undefined ? {} : { offset }) }];
}

/** Whether a choice of a union was not what the author meant at all. */
const isOfAnotherKind = (issue: z.core.$ZodIssue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

/** "Missing value" stands where the key should be, so the message has to name it. */
function named(message: string, path: readonly PathStep[]): string {
  const key = path.at(-1);
  return message === 'Missing value' && typeof key === 'string' ? `Missing key "${key}"` : message;
}

const toStep = (step: PropertyKey): PathStep => (typeof step === 'symbol' ? String(step) : step);
