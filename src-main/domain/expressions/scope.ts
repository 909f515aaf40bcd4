// Which names an author may use at one place of a workflow file. Everything else is a typo, and typos are found
// before a run.
import type { JsonValue } from '../../base/json-value.ts';
import { functionNames } from './author-functions.ts';

export type Scope = {
  /** Given by Rowbench: `row`, `nodes` and `vars`; with `each` also `item` and `index`, in `onError.value` also `error`, in `repeat` also `previous` and `round`. */
  readonly names: readonly string[];
  /** The ids that `nodes.<id>` may name; absent where there is no workflow around the text. */
  readonly nodeIds?: ReadonlySet<string> | undefined;
  /** In a body, ids of the nodes outside of it, which cannot be read there. */
  readonly outerIds?: ReadonlySet<string> | undefined;
  /** The variables that `vars.<name>` may name, with their values; absent where there is no workflow around the text. */
  readonly vars?: ReadonlyMap<string, JsonValue> | undefined;
};

/** Part of a scope that comes from the workflow around the text. */
export type WorkflowScope = Omit<Scope, 'names'>;

export const rowNames = ['row', 'nodes', 'vars'] as const;
export const itemNames = [...rowNames, 'item', 'index'] as const;

/** The name of the failure, known only in `onError.value`. */
export const errorName = 'error';

/** The last answer and the number of the call, from 1; known only in `repeat`. */
export const repeatNames = ['previous', 'round'] as const;

/** The scope with further names, in the same workflow. */
export const scopeWith = (scope: Scope, names: readonly string[]): Scope => ({
  names: [...scope.names, ...names],
  get nodeIds() {
    return scope.nodeIds;
  },
  get outerIds() {
    return scope.outerIds;
  },
  get vars() {
    return scope.vars;
  },
});

/** Functions that Rowbench adds for the URLs of calls; see executor/worker/url-text.ts. */
const urlHelpers = ['rawPath', 'url'] as const;

/**
 * Globals of expressions and code: JavaScript's own, `urlHelpers` and the functions of Rowbench. The row worker gives its compartment exactly these.
 * Not among them: whatever holds memory outside the heap limit (ArrayBuffer, typed arrays, WebAssembly) and
 * whatever makes code of text (`eval`, `Function`).
 */
export const compartmentGlobals = [
  'AggregateError',
  'Array',
  'BigInt',
  'Boolean',
  'Date',
  'Error',
  'EvalError',
  'Infinity',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'Promise',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'WeakMap',
  'WeakSet',
  'console',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'undefined',
  ...urlHelpers,
  ...functionNames,
] as const;

export const isCompartmentGlobal = (name: string): boolean => known.has(name);

const known: ReadonlySet<string> = new Set(compartmentGlobals);
