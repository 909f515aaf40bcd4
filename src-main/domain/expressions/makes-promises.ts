// Finds code that can make promises by its tokens alone: the jobs of promises are the one thing that can go on
// running after code has returned. Who calls: parse-expression, for every expression and body.
// INVARIANT: code without these words comes by no promise. An async function, `await` and `for await` need a word of
// their own, and `Promise` is found under no other name: nothing else that the compartment offers gives a promise or leads
// to where promises are made, however it is read (executor/worker/realm.ts removes what would).
import type { Token } from 'acorn';

/** `then` makes no promise; code that names it deals with some. */
const promiseWords: ReadonlySet<unknown> = new Set(['async', 'await', 'Promise', 'then']);

/** True if code with these tokens may make promises. */
export const makesPromises = (tokens: readonly Token[]): boolean =>
  // The parser's types leave the value out. Its escapes are resolved, so that `Prom\u0069se` counts as well.
  tokens.some((token) => promiseWords.has((token as Token & { readonly value?: unknown }).value));
