import type { Expression, Value } from '../expressions/value.ts';

/** Names with values, in the order of the file, or an expression that gives an object with them. */
export type Fields = Extract<Value, { kind: 'object' }> | Expression;

/** The pairs that stand in the file; none if an expression gives them. */
export const writtenFields = (fields: Fields | undefined) =>
  fields?.kind === 'object' ? fields.entries : [];
