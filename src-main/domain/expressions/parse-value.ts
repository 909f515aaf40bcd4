// Shape, not quoting, says what a value in the file is: a string that begins with `=` is an expression, one with
// `{{ … }}` a template, anything else stands for itself. Lists and objects may mix them at any depth.
import type { JsonValue } from '../../base/json-value.ts';
import { maxIssues } from '../workflow/issue.ts';
import { shifted, type CodeProblem, type Parsed } from './code-problem.ts';
import { parseExpression } from './parse-expression.ts';
import { hasPlaceholder, parseTemplate } from './parse-template.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** A problem somewhere inside a value; `offset` counts within the string that the path leads to. */
type ValueProblem = CodeProblem & { readonly path: readonly (string | number)[] };

export type ParsedValue =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly ValueProblem[] };

/** One string as a value. */
export function parseText(text: string, scope: Scope): Parsed<Value> {
  if (text.startsWith('=')) return shifted(parseExpression(text.slice(1), scope), 1);
  if (hasPlaceholder(text)) return parseTemplate(text, scope);
  return { ok: true, value: { kind: 'literal', value: text } };
}

/** Any JSON as a value. Nested at most as deep as a workflow file may be, which its reader has checked. */
export function parseValue(json: JsonValue, scope: Scope): ParsedValue {
  if (typeof json === 'string') return inside(parseText(json, scope));
  if (typeof json !== 'object' || json === null) return { ok: true, value: { kind: 'literal', value: json } };
  return Array.isArray(json)
    ? parseList(json as readonly JsonValue[], scope)
    : parseEntries(json as { readonly [key: string]: JsonValue }, scope);
}

function parseList(list: readonly JsonValue[], scope: Scope): ParsedValue {
  const parsed = parseMembers(list.entries(), scope);
  if (!parsed.ok) return parsed;
  const items = parsed.members.map(([, value]) => value);
  return {
    ok: true,
    value: items.every(isLiteral) ? { kind: 'literal', value: list } : { kind: 'list', items },
  };
}

function parseEntries(object: { readonly [key: string]: JsonValue }, scope: Scope): ParsedValue {
  // Object.entries sees own keys such as `__proto__` as the data they are.
  const parsed = parseMembers(Object.entries(object), scope);
  if (!parsed.ok) return parsed;
  const literal = parsed.members.every(([, value]) => isLiteral(value));
  return {
    ok: true,
    value: literal ? { kind: 'literal', value: object } : { kind: 'object', entries: parsed.members },
  };
}

type ParsedMembers<K> =
  | { readonly ok: true; readonly members: readonly (readonly [K, Value])[] }
  | { readonly ok: false; readonly problems: readonly ValueProblem[] };

/** Parses the members of a list or an object. Stops once there are more problems than a file has issues. */
export function parseMembers<K extends string | number>(
  members: Iterable<readonly [K, JsonValue]>,
  scope: Scope,
): ParsedMembers<K> {
  const values: (readonly [K, Value])[] = [];
  const problems: ValueProblem[] = [];
  for (const [key, json] of members) {
    const parsed = parseValue(json, scope);
    if (parsed.ok) values.push([key, parsed.value]);
    else for (const problem of parsed.problems) problems.push({ ...problem, path: [key, ...problem.path] });
    if (problems.length > maxIssues) break;
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, members: values };
}

const isLiteral = (value: Value): boolean => value.kind === 'literal';

const inside = (parsed: Parsed<Value>): ParsedValue =>
  parsed.ok ? parsed : { ok: false, problems: parsed.problems.map((problem) => ({ ...problem, path: [] })) };
