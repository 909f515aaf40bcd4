// Reports the problems of a slot as zod issues. Their `params.offset` counts within the author's string.
import { z } from 'zod';
import { missingValue } from './wording.ts';
import type { Parsed } from '../expressions/code-problem.ts';
import { maxIssues } from '../workflow/issue.ts';

/** The context that zod passes to a transform, as far as it is used here. */
export type SlotContext = { readonly issues: z.core.$ZodRawIssue[]; readonly value: unknown };

type SlotProblem = {
  readonly message: string;
  readonly offset?: number;
  readonly path?: readonly (string | number)[];
};

/** Reports problems; the value that it returns is never used. */
export function refuse(context: SlotContext, problems: readonly SlotProblem[]): never {
  for (const { message, offset, path } of problems.slice(0, maxIssues + 1)) {
    context.issues.push({
      code: 'custom',
      message,
      input: context.value,
      ...(offset === undefined ? {} : { params: { offset } }),
      ...(path === undefined ? {} : { path: [...path] }),
    });
  }
  return z.NEVER;
}

/** The parsed value, or its problems reported. */
export const settle = <T>(context: SlotContext, parsed: Parsed<T>): T =>
  parsed.ok ? parsed.value : refuse(context, parsed.problems);

/** Reports that the value is of another kind, so that the problem of a union is that none of its kinds fits. */
export function refuseKind(context: SlotContext): never {
  context.issues.push({ code: 'invalid_value', values: ['='], input: context.value });
  return z.NEVER;
}

export const missing = (context: SlotContext): never => refuse(context, [{ message: missingValue }]);

/** The offset that an issue carries, if it concerns a place inside a string. */
export function offsetOf(issue: z.core.$ZodIssue): number | undefined {
  const offset: unknown = issue.code === 'custom' ? issue.params?.offset : undefined;
  return typeof offset === 'number' ? offset : undefined;
}
