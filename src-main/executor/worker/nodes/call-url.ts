// The URL of a call, made from the author's value and checked before the call. Who calls: the node types that call
// services.
import type { Template, Value } from '../../../domain/expressions/value.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { NodeError } from '../node-error.ts';
import type { RowScope } from '../sandbox.ts';
import { assertBuiltUrl, insertable, joinUrl, type Insertable } from '../url-text.ts';
import { readUrl, refusal } from './outside-call.ts';

/** Compiles to a function that returns the URL for a row. It throws a `refusal` for a URL that must not be called. */
export function compileUrl(value: Value, compiler: Compiler): Evaluate<URL> {
  const evaluate = evaluatorOf(value, compiler);
  return (scope) => checked(() => readUrl(evaluate(scope)));
}

/**
 * Compiles to a function that returns the URL of a further call. An expression may give it relative to the first one. It throws
 * a `refusal` for another scheme, host or port, so that an answer cannot lead the workflow elsewhere.
 */
export function compileNextUrl(value: Value, compiler: Compiler): (scope: RowScope, first: URL) => URL {
  const evaluate = evaluatorOf(value, compiler);
  return (scope, first) =>
    checked(() => {
      const text = evaluate(scope);
      const isRelative = typeof text === 'string' && !URL.canParse(text) && URL.canParse(text, first.href);
      const url = readUrl(isRelative ? new URL(text, first).href : text);
      if (url.origin === first.origin) return url;
      throw refusal(`the next url leads to ${url.origin}, and may only lead to ${first.origin}`);
    });
}

function checked(makeUrl: () => URL): URL {
  try {
    return makeUrl();
  } catch (error) {
    throw isUrlProblem(error) ? refusal(`the url is refused: ${error.message}`) : error;
  }
}

/**
 * True for a value or text that no URL can hold, also if the author's own encodeURIComponent threw. All other errors are
 * the author's, as in any node.
 */
const isUrlProblem = (error: unknown): error is Error =>
  error instanceof URIError ||
  error instanceof RangeError ||
  (error instanceof NodeError && error.retryAfterMs < Infinity);

function evaluatorOf(value: Value, compiler: Compiler): Evaluate {
  if (value.kind === 'template') return templateText(value, compiler);
  const evaluate = compiler.value(value);
  // A literal is written by the author as a whole.
  if (value.kind === 'literal') return evaluate;
  return (scope) => {
    const text = evaluate(scope);
    if (typeof text === 'string') assertBuiltUrl(text);
    return text;
  };
}

function templateText({ parts }: Template, compiler: Compiler): Evaluate<string> {
  const texts = [''];
  const values: Evaluate<Insertable>[] = [];
  const names: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') texts[texts.length - 1] = part;
    else {
      const raw = compiler.raw(part);
      values.push((scope) => insertable(raw(scope)));
      names.push(
        `{{ ${part.source.length > longestName ? `${part.source.slice(0, longestName)}…` : part.source} }}`,
      );
      texts.push('');
    }
  }
  const nameOf = (index: number): string => names[index] ?? '';
  return (scope) =>
    joinUrl(
      texts,
      values.map((value) => value(scope)),
      nameOf,
    );
}

const longestName = 60;
