// Names with values, for the nodes whose author may write an expression in place of them.
import type { Fields } from '../../../domain/nodes/fields.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { NodeError } from '../node-error.ts';
import { describeType } from './outside-call.ts';

export type NamedValues = readonly (readonly [name: string, value: unknown])[];

/** Compiles to a function that returns the names with their values for a row. @param key for messages */
export function compileFields(
  fields: Fields | undefined,
  key: string,
  compiler: Compiler,
): Evaluate<NamedValues> {
  if (fields === undefined) return () => [];
  if (fields.kind !== 'object') {
    const evaluate = compiler.value(fields);
    return (scope) => Object.entries(assertObject(evaluate(scope), key));
  }
  const compiled = fields.entries.map(([name, value]) => [name, compiler.value(value)] as const);
  return (scope) => compiled.map(([name, value]) => [name, value(scope)]);
}

/** The value, if it is an object. Throws NodeError for any other one. */
export function assertObject(value: unknown, key: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new NodeError(`"${key}" is ${describeType(value)}, not an object`);
}
