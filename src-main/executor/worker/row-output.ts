// The row's output as one line of JSON, put together from the field texts of all output nodes.
import { freezeParsed } from './plain-value.ts';
import type { Step } from './step.ts';

/** Field texts of one output node: one JSON text a field. */
export type FieldTexts = readonly string[];

export class RowOutput {
  /** For each output node its place in the plan and, for each of its fields, what stands before the text. */
  readonly #nodes: readonly { readonly place: number; readonly heads: readonly string[] }[];

  constructor(steps: readonly Step[]) {
    let isFirst = true;
    const head = (name: string): string => {
      const before = isFirst ? '{' : ',';
      isFirst = false;
      return `${before}${JSON.stringify(name)}:`;
    };
    this.#nodes = steps.flatMap(({ place, fields }) => (fields ? [{ place, heads: fields.map(head) }] : []));
  }

  /** `texts` by the node's place in the plan. The fields of a node that was skipped are null. */
  line(texts: readonly (FieldTexts | undefined)[]): string {
    let line = '';
    for (const { place, heads } of this.#nodes) {
      const fields = texts[place];
      for (let field = 0; field < heads.length; field += 1)
        line += `${heads[field]}${fields?.[field] ?? 'null'}`;
    }
    return line === '' ? '{}' : `${line}}`;
  }
}

/** The value of an output node, for the rare workflow in which another node reads it. */
export const fieldsValue = (names: readonly string[], texts: FieldTexts): unknown =>
  freezeParsed(
    JSON.parse(
      `{${names.map((name, field) => `${JSON.stringify(name)}:${texts[field] ?? 'null'}`).join(',')}}`,
    ),
  );

/** The texts of a value that stands in for the fields: its own properties of their names. */
export const textsOf = (names: readonly string[], value: unknown): FieldTexts => {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return names.map((name) => (Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : 'null'));
};
