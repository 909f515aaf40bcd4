// Text that is the same for every row: literal, or with variables in it. Their values are known where a file is parsed.
import type { Parsed } from './code-problem.ts';
import { parseText } from './parse-value.ts';
import type { Scope } from './scope.ts';
import type { Expression, Template } from './value.ts';

export type FixedText = {
  /** The text with the values of its variables. */
  readonly text: string;
  /** False if a variable has no value yet: a run is refused then, and the text cannot be checked. */
  readonly isComplete: boolean;
};

export function parseFixedText(text: string, scope: Scope): Parsed<FixedText> {
  const parsed = parseText(text, scope);
  if (!parsed.ok) return parsed;
  if (parsed.value.kind !== 'template' && parsed.value.kind !== 'expression')
    return { ok: true, value: { text, isComplete: true } };
  const parts = partsOf(parsed.value);
  const filled = parts.map((part) => (typeof part === 'string' ? part : variableText(part, scope)));
  if (filled.every((part) => part !== undefined))
    return { ok: true, value: { text: filled.join(''), isComplete: true } };
  return parts.every((part, index) => filled[index] !== undefined || isUnset(part, scope))
    ? { ok: true, value: { text, isComplete: false } }
    : { ok: false, problems: [{ message: onlyVariables, offset: Math.max(0, text.indexOf('{{')) }] };
}

const onlyVariables =
  'Expected text that is the same for every row: variables such as {{ vars.host }} that hold text, and no other expression';

const partsOf = (value: Template | Expression): readonly (string | Expression)[] =>
  value.kind === 'template' ? value.parts : [value];

/** The text of the variable that is the whole expression. A number may be a port. */
export function variableText(expression: Expression, scope: Scope): string | undefined {
  const value = variableValue(expression, scope);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** True if the expression is a variable whose value a profile or a run has yet to give. */
function isUnset(part: string | Expression, scope: Scope): boolean {
  if (typeof part === 'string' || variableName(part) === undefined) return false;
  return scope.vars === undefined || variableValue(part, scope) === null;
}

function variableValue(expression: Expression, { vars }: Scope) {
  const name = variableName(expression);
  return name === undefined ? undefined : vars?.get(name);
}

const variableName = ({ source }: Expression): string | undefined => /^vars\.(\w+)$/.exec(source)?.[1];
