// Where the tests of a workflow name a field of its rows or outputs.
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import type { Path } from './editable-file.ts';
import type { TextChange } from './text-changes.ts';

export function memberAt(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Paths of the field in a list of rows; none for rows in a file. */
export const rowKeys = (rows: JsonValue | undefined, path: Path, name: string): readonly Path[] =>
  Array.isArray(rows)
    ? (rows as readonly JsonValue[]).flatMap((row, index) =>
        memberAt(row, name) === undefined ? [] : [[...path, index, name]],
      )
    : [];

type OutputKeys = {
  readonly keys: readonly Path[];
  readonly texts: readonly { readonly path: Path; readonly changes: readonly TextChange[] }[];
};

/** Mentions of a field of the output in an expectation. Rules and ignored fields name it by a path, too. */
export function outputKeys(
  expect: JsonValue | undefined,
  path: Path,
  { name, newName }: { readonly name: string; readonly newName: string },
): OutputKeys {
  const isOf = (key: string): boolean => key === name || key.startsWith(`${name}.`);
  const rules = memberAt(expect, 'fields');
  const ruleKeys = isJsonObject(rules) ? Object.keys(rules).filter(isOf) : [];
  const ignored = memberAt(expect, 'ignore');
  const texts = (Array.isArray(ignored) ? (ignored as readonly JsonValue[]) : []).flatMap((each, index) =>
    typeof each === 'string' && isOf(each)
      ? [
          {
            path: [...path, 'ignore', index],
            changes: [{ from: 0, to: name.length, insert: newName }],
          },
        ]
      : [],
  );
  return {
    keys: [
      ...rowKeys(memberAt(expect, 'rows'), [...path, 'rows'], name),
      ...ruleKeys.map((key) => [...path, 'fields', key]),
    ],
    texts,
  };
}

/** Expressions of an expectation that may read the row. */
export function ruleTexts(
  expect: JsonValue | undefined,
  path: Path,
): readonly { readonly path: Path; readonly text: string }[] {
  const rules = memberAt(expect, 'fields');
  const score = memberAt(memberAt(expect, 'score'), 'expression');
  return [
    ...Object.entries(isJsonObject(rules) ? rules : {}).map(
      ([key, rule]) => [[...path, 'fields', key, 'that'], memberAt(rule, 'that')] as const,
    ),
    [[...path, 'score', 'expression'], score] as const,
  ].flatMap(([at, text]) => (typeof text === 'string' ? [{ path: at, text }] : []));
}

/** The field in the error of an expectation, as the input node words it: `field "email" is missing`. */
export function errorChange(
  error: JsonValue | undefined,
  { name, newName }: { readonly name: string; readonly newName: string },
): readonly TextChange[] {
  const start = 'field "';
  const at = typeof error === 'string' ? error.indexOf(`${start}${name}"`) : -1;
  if (at < 0) return [];
  const from = at + start.length;
  return [{ from, to: from + name.length, insert: newName }];
}
