import { z } from 'zod';
import { invariant } from '../../base/invariant.ts';
import { refuse } from './slot-problems.ts';
import { isJsonObject } from './slots.ts';
import { wording } from './wording.ts';

/** Names with anything, each checked by one schema, in the order of the file. Pairs: a name may be `__proto__`. */
export function entriesSlot<T extends z.ZodType>(
  each: T,
): z.ZodType<readonly (readonly [name: string, entry: z.output<T>])[]> {
  const { $schema, ...additionalProperties } = z.toJSONSchema(each, { io: 'input' });
  invariant($schema !== undefined, 'a generated schema names its dialect, which has no place in the middle');
  return z
    .unknown()
    .transform((json, context) => {
      if (!isJsonObject(json)) return refuse(context, [{ message: 'Expected names with values' }]);
      return Object.entries(json).flatMap(([name, value]) => {
        const parsed = each.safeParse(value, { error: wording, jitless: true });
        if (parsed.success) return [[name, parsed.data] as const];
        for (const issue of parsed.error.issues) {
          context.issues.push({ ...issue, path: [name, ...issue.path], input: value } as z.core.$ZodRawIssue);
        }
        return [];
      });
    })
    .meta({ type: 'object', additionalProperties });
}
