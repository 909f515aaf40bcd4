// Says why a condition skipped its node: the names that the condition reads, with their values. Who calls: describePreview.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import type { Expression } from '../../domain/expressions/value.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import type { RowTrace } from '../../domain/results/row-trace.ts';

type TracedValue = RowTrace['values'] extends ReadonlyMap<number, infer Value> ? Value : never;

/** Values that a condition could read; undefined for a node that gave none. */
type ReadableValues = {
  readonly row: TracedValue | undefined;
  /** By node id. */
  readonly nodes: ReadonlyMap<string, TracedValue>;
};

const maxNames = 3;
/** Characters of a value. */
const maxCharacters = 40;

/** Such as `size.label is "small", row.country has no value`; undefined where no value that it reads is known. */
export function skipReason(
  { source, nodeRefs, rowReads }: Pick<Expression, 'source' | 'nodeRefs' | 'rowReads'>,
  { row, nodes }: ReadableValues,
): string | undefined {
  const reads = [
    ...nodeRefs.flatMap((id) =>
      pathsOf(source, id).map((path) => ({ name: id, value: nodes.get(id), path })),
    ),
    ...rowReads.map(({ path }) => ({ name: 'row', value: row, path })),
  ];
  const found = reads.flatMap(({ name, value, path }) => {
    // The beginning of a large value has no members.
    if (value !== undefined && value.kind !== 'whole') return [];
    return [describeRead(name, value?.value, path)];
  });
  return found.length === 0 ? undefined : [...new Set(found)].slice(0, maxNames).join(', ');
}

const memberText = String.raw`\??\.\s*[\p{L}_$][\p{L}\p{N}_$]*|(?:\?\.)?\[\s*(?:"[^"]*"|'[^']*'|\d+)\s*\]`;
const reference = new RegExp(String.raw`\bnodes((?:\s*(?:${memberText}))+)`, 'gu');

/** Members of the node's value that the code names. */
const pathsOf = (source: string, id: string): readonly (readonly string[])[] =>
  [...source.matchAll(reference)].flatMap(([, members = '']) => {
    const [first, ...path] = Array.from(members.matchAll(new RegExp(memberText, 'gu')), ([text]) =>
      text.replaceAll(/^[?.[\s"']+|[\]\s"']+$/g, ''),
    );
    return first === id ? [path] : [];
  });

/** The name and the value at a path, up to a method or the length of a value. */
function describeRead(name: string, value: JsonValue | undefined, path: readonly string[]): string {
  const [key, ...rest] = path;
  if (key !== undefined && (value === undefined || isJsonObject(value)))
    return describeRead(
      `${name}.${key}`,
      value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined,
      rest,
    );
  if (key !== undefined && Array.isArray(value) && /^\d+$/.test(key))
    return describeRead(`${name}[${key}]`, (value as readonly JsonValue[])[Number(key)], rest);
  return value === undefined
    ? `${name} has no value`
    : `${name} is ${beginning(JSON.stringify(value), maxCharacters)}`;
}
