import { z } from 'zod';
import { callInputInvalid } from '../domain/errors.ts';
import { procedures, type ProcedureName } from './procedures.ts';

/** What a procedure is called with, checked: the same words with a server and without. Throws `invalid_input`. */
export function parseInput(name: ProcedureName, value: unknown): unknown {
  const parsed = procedures[name].input.safeParse(value);
  if (!parsed.success) throw callInputInvalid(z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' '));
  return parsed.data;
}
