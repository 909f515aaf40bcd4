import type { Token } from 'acorn';
import type { Parsed } from './code-problem.ts';
import { findNames } from './find-names.ts';
import { rowReads } from './row-reads.ts';
import { safeSource } from './safe-source.ts';
import type { Scope } from './scope.ts';
import {
  characterAt,
  readFunctionBody,
  readLeadingExpression,
  type LeadingExpression,
  type Syntax,
} from './syntax.ts';
import type { Expression } from './value.ts';

/** The whole text as one JavaScript expression. */
export function parseExpression(text: string, scope: Scope): Parsed<Expression> {
  if (text.trim() === '') return { ok: false, problems: [{ message: 'The expression is empty', offset: 0 }] };
  const read = readLeadingExpression(text);
  if (!read.ok) return read;
  if (read.value.next < text.length) return { ok: false, problems: [trailing(text, read.value)] };
  const { tree } = read.value;
  if (
    tree.type === 'AssignmentExpression' &&
    tree.operator === '=' &&
    tree.left.type === 'MemberExpression'
  ) {
    const message = 'An expression cannot assign: "=" changes a value, "===" compares';
    return { ok: false, problems: [{ message, offset: tree.left.start }] };
  }
  return checkCode('expression', read.value, scope);
}

const trailing = (text: string, { next }: LeadingExpression) => ({
  message: `Unexpected ${JSON.stringify(characterAt(text, next))} after the expression`,
  offset: next,
});

/** The text as the body of a JavaScript function: statements, `return` for the value, `await` allowed. */
export function parseBody(text: string, scope: Scope): Parsed<Expression> {
  if (text.trim() === '') return { ok: false, problems: [{ message: 'The code is empty', offset: 0 }] };
  const read = readFunctionBody(text);
  return read.ok ? checkCode('body', read.value, scope) : read;
}

/** Checks the names, and the sandbox's own rules, of code whose syntax is right. */
export function checkCode(kind: Expression['kind'], syntax: Syntax, scope: Scope): Parsed<Expression> {
  const { nodeRefs, awaitsAt, problems } = findNames(syntax.tree, scope);
  if (problems.length > 0) return { ok: false, problems };
  if (kind === 'expression' && awaitsAt !== undefined) {
    return { ok: false, problems: [{ message: 'Only a code node can await', offset: awaitsAt }] };
  }
  const safe = safeSource(syntax);
  if (!safe.ok) return safe;
  return {
    ok: true,
    value: {
      kind,
      source: syntax.text.trim(),
      safeSource: safe.value,
      nodeRefs,
      rowReads: syntax.text.includes('row') ? rowReads(syntax.tree) : [],
      isAsync: awaitsAt !== undefined,
      makesPromises: makesPromises(syntax.tokens),
    },
  };
}

// Finds code that can make promises by its tokens alone: the jobs of promises are the one thing that can go on
// running after code has returned.
// INVARIANT: code without these words comes by no promise. An async function, `await` and `for await` need a word of
// their own, and `Promise` is found under no other name: nothing else that the compartment offers gives a promise or leads
// to where promises are made, however it is read (executor/worker/realm.ts removes what would).

/** `then` makes no promise; code that names it deals with some. */
const promiseNames: ReadonlySet<unknown> = new Set(['async', 'await', 'Promise', 'then']);

/** True if code with these tokens may make promises. */
const makesPromises = (tokens: readonly Token[]): boolean =>
  // The parser's types leave the value out. Its escapes are resolved, so that `Prom\u0069se` counts as well.
  tokens.some((token) => promiseNames.has((token as Token & { readonly value?: unknown }).value));
