// The keywords that say in the JSON Schema of a workflow file what a form shows at a key. The form of a node
// (domain/authoring/create/node-form.ts) is made of it; other readers of the schema ignore it.
import type { JsonValue } from '../../base/json-value.ts';

/** Kind of value that JSON Schema has no words for. A schema without the keyword says all about its values. */
export type FieldKind =
  /** JavaScript that is always an expression; a leading `=` is optional. */
  | 'expression'
  /** JavaScript of several lines: the body of a function. */
  | 'code'
  /** Text that may be an expression or a template. */
  | 'text'
  /** Any JSON, with expressions and templates at any depth. */
  | 'value'
  /** Names with such values. */
  | 'values'
  /** Names with literals: the variables of a workflow. */
  | 'vars'
  /** A duration, or an expression in milliseconds. */
  | 'wait'
  | 'duration'
  /** The id of the node itself. */
  | 'id'
  /** Ids of other nodes: one, or a list. */
  | 'after'
  | 'workflow'
  /** The nodes of a body. */
  | 'body'
  | 'table'
  /** A column of the table. */
  | 'column'
  /** The name of a secret. */
  | 'secret'
  | 'mock'
  /** Data as it is, without expressions. */
  | 'json';

export const fieldKeyword = 'x-rowbench';

/** Metadata of a schema that stands for values of this kind. */
export const fieldKind = (kind: FieldKind): { readonly [fieldKeyword]: FieldKind } => ({
  [fieldKeyword]: kind,
});

export const initialKeyword = 'x-rowbench-initial';

/** Metadata of a schema: the value that a form writes when the user adds the key. `examples` are lost at a transform. */
export const initialValue = (value: JsonValue): { readonly [initialKeyword]: JsonValue } => ({
  [initialKeyword]: value,
});
