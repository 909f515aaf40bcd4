// Text with expressions filled in: `Lead {{ row.name }}`. The JavaScript parser itself finds where an expression
// ends, so braces, strings and templates inside it need no rule: `{{ {a: 1}.a }}`, `{{ "}}" }}`.
// A literal `{{` is written as an expression: `{{ '{{' }}`.
import { maxIssues } from '../workflow/issue.ts';
import { shifted, type CodeProblem, type Parsed } from './code-problem.ts';
import { checkCode } from './parse-expression.ts';
import type { Scope } from './scope.ts';
import { characterAt, readLeadingExpression } from './syntax.ts';
import type { Expression, Template } from './value.ts';

export const hasPlaceholder = (text: string): boolean => text.includes('{{');

export function parseTemplate(text: string, scope: Scope): Parsed<Template> {
  const parts: (string | Expression)[] = [];
  const problems: CodeProblem[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    if (open > at) parts.push(text.slice(at, open));
    const placeholder = readPlaceholder(text.slice(open + 2), scope);
    const parsed = shifted(placeholder.expression, open + 2);
    if (parsed.ok) parts.push(parsed.value);
    else for (const problem of parsed.problems) problems.push(problem);
    if (problems.length > maxIssues) break;
    // Without an end there is no telling where text begins again.
    if (placeholder.end === undefined) return { ok: false, problems };
    at = open + 2 + placeholder.end;
  }
  if (problems.length > 0) return { ok: false, problems };
  if (at < text.length) parts.push(text.slice(at));
  return { ok: true, value: { kind: 'template', parts } };
}

/** An expression and where the text after its `}}` begins, if it was found. */
type Placeholder = { readonly expression: Parsed<Expression>; readonly end?: number };

function readPlaceholder(text: string, scope: Scope): Placeholder {
  const read = readLeadingExpression(text);
  if (!read.ok) return { expression: blankOrTripled(text) ?? read };
  const { next } = read.value;
  if (text.startsWith('}}', next))
    return { expression: checkCode('expression', read.value, scope), end: next + 2 };
  if (next < text.length && !text.startsWith('{{', next)) {
    const found = JSON.stringify(characterAt(text, next));
    return { expression: failed(`Expected }} after the expression, found ${found}`, next) };
  }
  return { expression: failed('The {{ of this placeholder is never closed with }}', -2) };
}

function blankOrTripled(text: string): Parsed<never> | undefined {
  if (/^\s*(?:\}\}|$)/.test(text)) return failed('The placeholder is empty', 0);
  return text.startsWith('{') ? failed('A placeholder has two braces on each side: {{ … }}', -2) : undefined;
}

const failed = (message: string, offset: number): Parsed<never> => ({
  ok: false,
  problems: [{ message, offset }],
});
