// Shape, not quoting, says what a value in the file is: a string that begins with `=` is an expression, one with
// `{{ … }}` a template, anything else stands for itself. Lists and objects may mix them at any depth.
import type { JsonValue } from '../../base/json-value.ts';
import { shifted, type CodeProblem, type Parsed } from './code-problem.ts';
import { parseExpression } from './parse-expression.ts';
import { hasPlaceholder, parseTemplate } from './parse-template.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** A problem somewhere inside a value; `offset` counts within the string that the path leads to. */
export type ValueProblem = CodeProblem & { readonly path: readonly (string | number)[] };

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
  const parsed = list.map((item, index) => under(index, parseValue(item, scope)));
  const problems = parsed.flatMap(problemsOf);
  if (problems.length > 0) return { ok: false, problems };
  const items = parsed.flatMap(valueOf);
  return {
    ok: true,
    value: items.every(isLiteral) ? { kind: 'literal', value: list } : { kind: 'list', items },
  };
}

function parseEntries(object: { readonly [key: string]: JsonValue }, scope: Scope): ParsedValue {
  // Object.entries sees own keys such as `__proto__` as the data they are.
  const parsed = Object.entries(object).map(
    ([key, value]) => [key, under(key, parseValue(value, scope))] as const,
  );
  const problems = parsed.flatMap(([, value]) => problemsOf(value));
  if (problems.length > 0) return { ok: false, problems };
  const entries = parsed.flatMap(([key, value]) => valueOf(value).map((known) => [key, known] as const));
  const literal = entries.every(([, value]) => isLiteral(value));
  return { ok: true, value: literal ? { kind: 'literal', value: object } : { kind: 'object', entries } };
}

const isLiteral = (value: Value): boolean => value.kind === 'literal';
const problemsOf = (parsed: ParsedValue): readonly ValueProblem[] => (parsed.ok ? [] : parsed.problems);
const valueOf = (parsed: ParsedValue): readonly Value[] => (parsed.ok ? [parsed.value] : []);

const inside = (parsed: Parsed<Value>): ParsedValue =>
  parsed.ok ? parsed : { ok: false, problems: parsed.problems.map((problem) => ({ ...problem, path: [] })) };

const under = (key: string | number, parsed: ParsedValue): ParsedValue =>
  parsed.ok
    ? parsed
    : {
        ok: false,
        problems: parsed.problems.map((problem) => ({ ...problem, path: [key, ...problem.path] })),
      };
