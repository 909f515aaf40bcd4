// The one place that calls the JavaScript parser. Module mode: strict, without `with` and without HTML comments,
// so that every engine reads the text in the same way.
import { parse, parseExpressionAt, type Comment, type Options, type Program, type Token } from 'acorn';
import type { AnyNode, Expression as ExpressionNode } from 'acorn';
import type { CodeProblem, Parsed } from './code-problem.ts';

/** A text read as JavaScript, with what is needed to write it out again. */
export type Syntax = {
  readonly text: string;
  readonly tree: AnyNode;
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
};

/** One expression at the start of a text, and where what follows it begins (space and comments skipped). */
export type LeadingExpression = Syntax & { readonly next: number };

export function readLeadingExpression(text: string): Parsed<LeadingExpression> {
  return readWith(
    text,
    (options) => parseExpressionAt(text, 0, options),
    (tree, tokens, comments) => {
      // The tree ends before closing parentheses, the last token does not.
      const end = tokens.at(-1)?.end ?? tree.end;
      return {
        text: text.slice(0, end),
        tree,
        tokens,
        comments: comments.filter((comment) => comment.start < end),
        next: skipBlanks(text, end, comments),
      };
    },
  );
}

export function readBody(text: string): Parsed<Syntax> {
  const parseBody = (options: Options): Program =>
    parse(text, { ...options, allowReturnOutsideFunction: true });
  return readWith(text, parseBody, (tree, tokens, comments) => ({ text, tree, tokens, comments }));
}

type Build<N, T> = (tree: N, tokens: readonly Token[], comments: readonly Comment[]) => T;

function readWith<N extends ExpressionNode | Program, T>(
  text: string,
  parser: (options: Options) => N,
  build: Build<N, T>,
): Parsed<T> {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  try {
    const tree = parser({
      ecmaVersion: 2024,
      sourceType: 'module',
      allowHashBang: false,
      onToken: tokens,
      onComment: comments,
    });
    return { ok: true, value: build(tree, tokens, comments) };
  } catch (error) {
    return { ok: false, problems: [syntaxProblem(error, text)] };
  }
}

function syntaxProblem(error: unknown, text: string): CodeProblem {
  // The parser calls itself for what is nested; text made to exhaust the stack is one more thing that is wrong.
  if (error instanceof RangeError) return { message: tooDeep, offset: 0 };
  if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') throw error;
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  if (message.startsWith('Not enough stack')) return { message: tooDeep, offset: error.pos };
  if (message === 'Unexpected token' && error.pos >= text.trimEnd().length) {
    return { message: 'The code ends too early, something is missing', offset: error.pos };
  }
  if (message !== 'Unexpected token') return { message, offset: error.pos };
  return { message: `Unexpected ${JSON.stringify(characterAt(text, error.pos))}`, offset: error.pos };
}

export const tooDeep = 'The code is nested too deeply';

export const characterAt = (text: string, offset: number): string =>
  String.fromCodePoint(text.codePointAt(offset) ?? 0);

function skipBlanks(text: string, from: number, comments: readonly Comment[]): number {
  let at = from;
  for (const comment of comments) {
    if (comment.start >= from) at = comment.end;
  }
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}
