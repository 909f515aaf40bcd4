// Reports the problems of a slot as zod issues. Their `params.offset` counts within the author's string.
import { z } from 'zod';
import { initialValue } from './field-kind.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
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

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const rateLimitPattern = /^([1-9]\d{0,5})\/([smh])$/;

/** `5/s`, `100/m` or `1000/h`; becomes the time between the starts of two calls, in ms. */
export const rateLimitSlot = z
  .string()
  .transform((text, context): number => {
    const [, calls, unit] = rateLimitPattern.exec(text) ?? [];
    if (unit === undefined)
      return refuse(context, [{ message: 'Expected a rate such as 5/s, 100/m or 1000/h' }]);
    return unitMs[unit as keyof typeof unitMs] / Number(calls);
  })
  .meta({ pattern: rateLimitPattern.source, ...initialValue('5/s') })
  .describe(
    'Maximum rate of calls to one host, such as `5/s`, `100/m` or `1000/h`: calls begin at even intervals, counted over all runs of this server or team. A wait for it does not count as `timeout`.',
  );

/** An object taken as it is, all own keys included; `says` names what is expected otherwise. */
export const jsonObjectSlot = (says: string) =>
  z
    .unknown()
    .transform((json, context): JsonObject =>
      isJsonObject(json) ? json : refuse(context, [{ message: says }]),
    )
    .meta({ type: 'object', additionalProperties: true });
