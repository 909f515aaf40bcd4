import type { z } from 'zod';
import { callInputInvalid } from '../domain/request-errors.ts';
import { procedures, type ProcedureName } from './procedures.ts';

/** The checked input of a procedure. Throws `invalid_input`; its message is the same with a server and without. */
export function parseInput(name: ProcedureName, value: unknown): unknown {
  return parseWith<unknown>(procedures[name].input, value);
}

/** The value, if the schema accepts it. Throws `invalid_input`. */
export function parseWith<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw callInputInvalid(parsed.error.issues.map(described).join('; '));
  return parsed.data;
}

/** The first words are said once for all. */
function described({ message, path }: z.core.$ZodIssue): string {
  const problem = message.replace(/^Invalid input: /, '');
  return path.length === 0 ? problem : `${problem} (${path.join('.')})`;
}
