// The one place that calls the JavaScript parser. Module mode: strict, without `with` and without HTML comments,
// so that every engine reads the text in the same way.
import type { AnyNode, Comment, Expression as ExpressionNode, Options, Program, Token } from 'acorn';
import { BoundedParser, tooDeep } from './bounded-parser.ts';
import type { CodeProblem, Parsed } from './code-problem.ts';
import { deepNode } from './tree.ts';

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
    (options) => BoundedParser.parseExpressionAt(text, 0, options),
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

export function readFunctionBody(text: string): Parsed<Syntax> {
  const parseBody = (options: Options): Program =>
    BoundedParser.parse(text, { ...options, allowReturnOutsideFunction: true });
  return readWith(text, parseBody, (tree, tokens, comments) => ({ text, tree, tokens, comments }));
}

/**
 * Levels of a syntax tree, for everything that walks one and calls itself for each level. A chain such as `a.b().c` is a
 * level per link, though the parser reads it in a loop; the deepest tree of other code has 1,000 levels.
 */
const maxTreeDepth = 1000;

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
    const deep = deepNode(tree, maxTreeDepth);
    if (deep !== undefined) return { ok: false, problems: [{ message: tooDeep, offset: deep.start }] };
    return { ok: true, value: build(tree, tokens, comments) };
  } catch (error) {
    return { ok: false, problems: [syntaxProblem(error, text, tokens)] };
  }
}

function syntaxProblem(error: unknown, text: string, tokens: readonly Token[]): CodeProblem {
  if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') throw error;
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  const unclosed = message === 'Unexpected token' ? unclosedBracket(text, error.pos, tokens) : undefined;
  if (unclosed !== undefined) return unclosed;
  if (message === 'Unexpected token' && error.pos >= text.trimEnd().length) {
    return { message: 'The code ends too early, something is missing', offset: error.pos };
  }
  if (message !== 'Unexpected token') return { message, offset: error.pos };
  return { message: `Unexpected ${JSON.stringify(characterAt(text, error.pos))}`, offset: error.pos };
}

const closingOf: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['${', '}'],
]);

/** The innermost open bracket, where the text ends or another bracket is closed in its place. */
function unclosedBracket(text: string, offset: number, tokens: readonly Token[]): CodeProblem | undefined {
  const open: Token[] = [];
  for (const token of tokens) {
    if (closingOf.has(token.type.label)) open.push(token);
    else if (/^[)\]}]$/.test(token.type.label)) open.pop();
  }
  const bracket = open.at(-1);
  const closing = closingOf.get(bracket?.type.label ?? '');
  if (bracket === undefined || closing === undefined) return undefined;
  const found = text.charAt(offset);
  const isOther = /[)\]}]/.test(found) && found !== closing;
  if (offset < text.trimEnd().length && !isOther) return undefined;
  return { message: `This "${bracket.type.label}" is never closed with "${closing}"`, offset: bracket.start };
}

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
