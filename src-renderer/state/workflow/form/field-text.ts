// Values of a form as text in a field, and back. A value that the user does not change stays as the file has it.
import {
  parseDuration,
  parseExactJson,
  type FieldIssue,
  type FormControl,
  type JsonValue,
  type NodeField,
  type NodeForm,
} from '#contract';
import type { FieldPath } from './form-edits.ts';

/** Kinds of controls that edit their value as one text. */
export type TextKind = Exclude<
  FormControl['kind'],
  'boolean' | 'choice' | 'after' | 'group' | 'entries' | 'list' | 'either' | 'values' | 'vars'
>;

const jsonKinds: ReadonlySet<TextKind> = new Set(['json', 'mock']);
const numberKinds: ReadonlySet<TextKind> = new Set(['number', 'numberOrName']);

const longKinds: ReadonlySet<TextKind> = new Set(['code', 'text', 'value']);

const placeholders: Partial<Record<TextKind, string>> = {
  text: 'Text, or = expression',
  value: 'Text, or = expression',
  wait: 'Such as 2s, or = expression in ms',
  duration: 'Such as 2s',
  expression: 'Expression',
};

/** Text of an empty field. */
export const placeholderOf = (kind: TextKind): string => placeholders[kind] ?? '';

/** True if Enter begins a new line in the field. */
export const hasLines = (kind: TextKind, value: JsonValue | undefined): boolean =>
  longKinds.has(kind) || isJsonField(kind, value);

/** True if the field shows JSON: data and groups, which have no shorter form. */
const isJsonField = (kind: TextKind, value: JsonValue | undefined): boolean =>
  jsonKinds.has(kind) || (typeof value === 'object' && value !== null);

/** Text of a value in its field; empty for an absent one. */
export function fieldText(kind: TextKind, value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && !jsonKinds.has(kind)) return value;
  return isJsonField(kind, value) ? JSON.stringify(value, null, 2) : JSON.stringify(value);
}

/**
 * Value that the user typed.
 * @param before value that the file has: a number or yes/no stays one
 * @throws SyntaxError if the text is not JSON and has to be
 */
export function typedValue(kind: TextKind, text: string, before: JsonValue | undefined): JsonValue {
  if (isJsonField(kind, before)) return parseExactJson(text) as JsonValue;
  const isScalar = before !== undefined && typeof before !== 'string';
  if (!isScalar && !numberKinds.has(kind)) return text;
  const value = parsedScalar(text);
  return numberKinds.has(kind) && typeof value !== 'number' ? text : value;
}

/** A number, yes/no or null as JSON has it, or else the text. */
export function parsedScalar(text: string): JsonValue {
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)$/i.test(text)
    ? (parseExactJson(text.toLowerCase()) as JsonValue)
    : text;
}

/** `2s = 2,000 ms`; undefined if the text is not a duration. */
export function durationHint(text: string): string | undefined {
  const ms = /^\d+$/.test(text) ? undefined : parseDuration(text);
  return ms === undefined ? undefined : `${text} = ${ms.toLocaleString('en')} ms`;
}

/** Sentences about a field, for readers of the screen. */
export function hintOf({ description, control }: NodeField): string {
  const sentences = [
    description,
    control.kind === 'id' ? 'Enter shows every line that another id changes.' : undefined,
    control.kind === 'number' && control.min !== undefined && control.max !== undefined
      ? `From ${control.min} to ${control.max}.`
      : undefined,
  ];
  return sentences.filter((each) => each !== undefined).join(' ');
}

/** Issues of a field. A field that shows its value whole has those of all its parts. */
export const issuesOfField = (
  issues: readonly FieldIssue[],
  path: FieldPath,
  isWhole: boolean,
): readonly FieldIssue[] =>
  issues.filter(
    (issue) =>
      (isWhole || issue.path.length === path.length) && path.every((step, n) => issue.path[n] === step),
  );

/** Issues of keys that the form does not show. */
export function otherIssues({ issues, fields, commonFields, unknown }: NodeForm): readonly FieldIssue[] {
  const shown = new Set([...fields, ...commonFields, ...unknown].map(({ path: [key] }) => key));
  return issues.filter(({ path: [key] }) => key === undefined || !shown.has(key));
}
