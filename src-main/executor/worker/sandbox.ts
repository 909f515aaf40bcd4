// The compartment of one workflow: everything that its author wrote is evaluated here, once, and called from here.
// INVARIANT: nothing reachable from author code can be changed by it, so no row leaves anything for the next, in the
// same run or in a later one.
import { compartmentGlobals } from '../../domain/expressions/scope.ts';
import { logLevels, type LogLevel } from '../../domain/results/trace-form.ts';
import type { PlanPart, RunSeed } from '../plan.ts';
import { date } from './functions/dates.ts';
import { decimal } from './functions/decimals.ts';
import { base64, hex, query, sha256, uuidFrom } from './functions/encodings.ts';
import { chunk, groupBy, sortBy, unique } from './functions/lists.ts';
import { NodeError } from './node-error.ts';
import { freezeParsed, setOwn } from './plain-value.ts';
import { seededDate, seededMath, type AttemptKey } from './seeded-builtins.ts';
import { rawPath, url } from './url-text.ts';

/** The current row, as author code sees it. */
export type RowScope = AttemptKey & {
  input: unknown;
  /** Values of the nodes that have run, by the node's index in the plan. */
  readonly values: unknown[];
  item: unknown;
  /** The failure that the value of `onError` replaces; undefined anywhere else. */
  error: unknown;
  /** The last answer of a node with `repeat`. */
  previous: unknown;
};

export type AuthorFunction = (
  ...args: readonly [
    row: unknown,
    nodes: unknown,
    item: unknown,
    index: unknown,
    error: unknown,
    previous?: unknown,
    round?: number,
  ]
) => unknown;

/** Source code of one function: an expression, or the body of a function. */
type AuthorCode = {
  readonly kind: 'expression' | 'body';
  readonly code: string;
  readonly isAsync: boolean;
};

/** Nodes and variables of a workflow, for `nodes` and `vars` in author code; the nodes in the plan's order. */
export type AuthorNames = Pick<PlanPart, 'nodes' | 'vars'>;

/** Records values that author code logs in that row. Must not throw. */
export type RecordLog = (scope: RowScope, level: LogLevel, values: readonly unknown[]) => void;

export class Sandbox {
  readonly #compartment: Compartment;
  readonly #builtins: Readonly<Record<string, unknown>>;
  readonly #startAttempt: (key: Readonly<AttemptKey>) => void;
  #scope: RowScope | undefined;
  /** Seed of the current run. */
  readonly #seed = { random: 0, time: 0 };
  #compiled: { readonly codes: string; readonly functions: AuthorFunction[] } | undefined;
  /** `nodes` as author code sees it: one frozen object whose getters read the current row. */
  readonly nodes: object;

  constructor({ nodes, vars }: AuthorNames, recordLog: RecordLog) {
    this.#compartment = new Compartment({ __options__: true });
    const { math, random, startAttempt } = seededMath(this.#seed);
    this.#startAttempt = startAttempt;
    const builtins = removeUndocumented(this.#compartment.globalThis, {
      Math: math,
      Date: seededDate(this.#seed),
      console: this.#console(recordLog),
      rawPath,
      url,
      base64,
      hex,
      query,
      sha256,
      uuid: uuidFrom(random),
      date,
      decimal,
      groupBy,
      unique,
      sortBy,
      chunk,
    });
    this.#builtins = { ...builtins, vars: frozenObject(vars) };
    this.nodes = this.#nodeView(nodes.map(({ id }) => id));
  }

  /** Sets random numbers and time to those of another run. */
  startRun({ random, time }: RunSeed): void {
    Object.assign(this.#seed, { random, time });
    this.#scope = undefined;
  }

  /** Makes `scope` the current row, for `nodes` and random numbers. Call it before every call of author code. */
  enterRow(scope: RowScope): void {
    this.#scope = scope;
    this.#startAttempt(scope);
  }

  /**
   * Compiles all codes to functions, in their order; the same codes give the same functions. A code that the engine refuses
   * becomes a function that throws the engine's error.
   */
  compile(codes: readonly AuthorCode[]): AuthorFunction[] {
    const key = JSON.stringify(codes);
    if (this.#compiled?.codes !== key) this.#compiled = { codes: key, functions: this.#compile(codes) };
    return this.#compiled.functions;
  }

  #compile(codes: readonly AuthorCode[]): AuthorFunction[] {
    try {
      return this.#evaluate(codes);
    } catch {
      // One of the codes has an error; compiling each alone shows which one.
      return codes.map((code) => this.#compileAlone(code));
    }
  }

  #compileAlone(code: AuthorCode): AuthorFunction {
    try {
      const [compiled] = this.#evaluate([code]);
      if (compiled !== undefined) return compiled;
    } catch (error) {
      return () => {
        throw error;
      };
    }
    return () => undefined;
  }

  /**
   * The builtins are bound as parameters of one closure: read as globals they would go through the compartment's
   * scope proxy, 100 times slower in a hot loop.
   */
  #evaluate(codes: readonly AuthorCode[]): AuthorFunction[] {
    const names = Object.keys(this.#builtins);
    const source = `(({ ${names.join(', ')} }) => [\n${codes.map(asFunction).join(',\n')}\n])`;
    const make = this.#compartment.evaluate(source) as (builtins: unknown) => AuthorFunction[];
    const made = make(this.#builtins);
    if (made.length === codes.length && made.every((each) => typeof each === 'function')) return made;
    // Code that closes its function and opens another one would shift the functions of other nodes.
    throw new NodeError('the code is not one function body');
  }

  /** The console of author code. Its methods always return `undefined`, and expose no object of ours. */
  #console(recordLog: RecordLog): object {
    const log =
      (level: LogLevel) =>
      (...values: readonly unknown[]): void => {
        if (this.#scope !== undefined) recordLog(this.#scope, level, values);
      };
    return harden(Object.fromEntries(logLevels.map((level) => [level, log(level)])));
  }

  #nodeView(nodeIds: readonly string[]): object {
    const view = Object.create(null) as object;
    nodeIds.forEach((id, index) => {
      Object.defineProperty(view, id, { enumerable: true, get: () => this.#scope?.values[index] });
    });
    return harden(view);
  }
}

function frozenObject(entries: AuthorNames['vars']): object {
  const made: Record<string, unknown> = {};
  for (const [name, value] of entries) setOwn(made, name, freezeParsed(value));
  return Object.freeze(made);
}

/**
 * Functions with their own `this` (undefined) and `arguments`: an arrow would see those of the closure around it,
 * and an `arguments` object can be written to.
 */
function asFunction({ kind, code, isAsync }: AuthorCode): string {
  const head = `${isAsync ? 'async ' : ''}function (row, nodes, item, index, error, previous, round)`;
  // The block lets a body declare its own `item` or `index`.
  return kind === 'expression' ? `${head} { return (${code}\n); }` : `${head} {{\n${code}\n}}`;
}

/** Removes all globals but the documented ones, sets `ours`, and freezes the result. */
function removeUndocumented(
  global: Record<PropertyKey, unknown>,
  ours: Record<string, unknown>,
): Record<string, unknown> {
  const documented = new Set<PropertyKey>(compartmentGlobals);
  for (const key of Reflect.ownKeys(global)) {
    if (!documented.has(key)) Reflect.deleteProperty(global, key);
  }
  const builtins: Record<string, unknown> = {};
  for (const name of compartmentGlobals) {
    if (Object.hasOwn(ours, name)) Object.defineProperty(global, name, { value: ours[name] });
    if (name !== 'undefined' && name !== 'NaN' && name !== 'Infinity') builtins[name] = global[name];
  }
  Object.freeze(global);
  return harden(builtins);
}
