// The row's output as one line of JSON, put together from the members of all output nodes.
import { membersInOrder } from '../../domain/rows/name-order.ts';
import { freezeParsed } from './plain-value.ts';

/** Text between the braces of an output node's object: `"a":1,"b":"x"`; empty for an object without fields. */
export type Members = string;

/** Names of an output node's fields; `any`: an expression gives them, for each row its own. */
export type FieldNames = readonly string[] | 'any';

/** The part of a step that the output needs; only output nodes have `fields`. */
type OutputStep = { readonly nodeIndex: number; readonly fields: FieldNames | undefined };

export class RowOutput {
  /** Index in the plan of each output node, and its members if it is skipped. */
  readonly #nodes: readonly { readonly nodeIndex: number; readonly skipped: Members }[];

  constructor(steps: readonly OutputStep[]) {
    this.#nodes = steps.flatMap(({ nodeIndex, fields }) =>
      fields ? [{ nodeIndex, skipped: membersOf(fields, undefined) }] : [],
    );
  }

  /** The line of a row. @param members by the node's index in the plan */
  line(members: readonly (Members | undefined)[]): string {
    let all = '';
    for (const { nodeIndex, skipped } of this.#nodes) {
      const own = members[nodeIndex] ?? skipped;
      if (own !== '') all += all === '' ? own : `,${own}`;
    }
    return `{${all}}`;
  }
}

/** Text before the value of each field: `"a":` for the first, `,"b":` for a later one. */
export const headsOf = (names: readonly string[]): string[] =>
  names.map((name, field) => `${field === 0 ? '' : ','}${JSON.stringify(name)}:`);

/** The value of an output node, for the rare workflow in which another node reads it. */
export const valueOf = (members: Members): unknown => freezeParsed(JSON.parse(`{${members}}`));

/**
 * The members of a value that replaces the fields: its own properties with their names, and null for missing ones. Where the
 * names are unknown, all of its properties.
 * @param order names of the row, in which properties that are whole numbers stand as there
 */
export function membersOf(names: FieldNames, value: unknown, order: readonly string[] = []): Members {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (names === 'any') return Array.isArray(fields) ? '' : membersInOrder(fields, order);
  const text = (name: string): string => JSON.stringify(Object.hasOwn(fields, name) ? fields[name] : null);
  return headsOf(names)
    .map((head, field) => `${head}${text(names[field] ?? '')}`)
    .join('');
}
