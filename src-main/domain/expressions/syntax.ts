// The one place that calls the JavaScript parser. Module mode: strict, without `with` and without HTML comments,
// so that every engine reads the text in the same way.
import {
  type AnyNode,
  type Comment,
  type Expression as ExpressionNode,
  type Options,
  type Program,
  type Token,
  Parser,
} from 'acorn';
import { invariant } from '../../base/invariant.ts';
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

// The JavaScript parser with a bound on nesting. Acorn calls itself for whatever is nested. Near the end of the stack V8
// does not always throw a RangeError: a regular expression that has to be compiled there, and acorn has many, aborts the
// whole process. So depth is counted where acorn recurses, which no text can mislead.
// INVARIANT: every cycle in acorn's grammar passes through one of `productions`.

const tooDeep = 'The code is nested too deeply';

/**
 * Productions that may be under way at once, by their cost. The costliest nesting takes 1.1 KB of stack per production
 * of cost 2, a chain of operators 0.4 KB per operator: at most 550 KB of the 984 KB that V8 allows.
 */
const maxCost = 1000;

/** Acorn compares a name with all that its scope declares: far more than code has, and few enough for half a second. */
const maxDeclarations = 20_000;

/** Acorn's own methods, with their cost. */
const productions: Readonly<Record<string, number>> = {
  parseStatement: 2,
  parseMaybeAssign: 2,
  parseMaybeUnary: 2,
  parseExprAtom: 2,
  parseBindingAtom: 2,
  // For each operator of a chain such as `a + b + c`, and these are written without nesting anything.
  parseExprOp: 1,
  // Inside a regular expression: groups, and with the flag "v" classes.
  regexp_disjunction: 2,
  regexp_classContents: 2,
};

/** The part of acorn's parser that its types leave out. */
type Production = (this: Internals, ...args: unknown[]) => unknown;
type Internals = {
  cost: number;
  declarations: number;
  readonly start: number;
  raise(offset: number, message: string): never;
};

/** Throws a SyntaxError with the message `tooDeep` for text that nests more than it may. */
const BoundedParser: typeof Parser = Parser.extend((Base) => {
  class Bounded extends Base {
    cost = 0;
    declarations = 0;
  }
  const replace = (name: string, by: (production: Production) => Production): void => {
    const production: unknown = Reflect.get(Base.prototype, name);
    invariant(typeof production === 'function', `acorn has a method ${name}`);
    Reflect.set(Bounded.prototype, name, by(production as Production));
  };
  for (const [name, cost] of Object.entries(productions))
    replace(name, (production) => bounded(production, cost));
  replace('declareName', counted);
  return Bounded;
});

function counted(declareName: Production): Production {
  return function (...args) {
    this.declarations += 1;
    if (this.declarations > maxDeclarations)
      this.raise(this.start, `The code declares more than ${maxDeclarations} names`);
    return declareName.apply(this, args);
  };
}

function bounded(production: Production, cost: number): Production {
  return function (...args) {
    const before = this.cost;
    if (before + cost > maxCost) this.raise(this.start, tooDeep);
    this.cost = before + cost;
    // Nothing catches what is thrown and goes on parsing, so that only a return needs the old value.
    const result = production.apply(this, args);
    this.cost = before;
    return result;
  };
}
