// The compartment of one workflow: everything that its author wrote is evaluated here, once, and called from here.
// INVARIANT: nothing reachable from author code can be changed by it, so no row leaves anything for the next, in the
// same run or in a later one.
import { compartmentGlobals } from '../../domain/expressions/scope.ts';
import { logLevels, type LogLevel } from '../../domain/run/trace-form.ts';
import type { RunSeed } from '../plan.ts';
import { NodeError } from './node-error.ts';
import { seededDate, seededMath, type AttemptKey } from './seeded-builtins.ts';
import { rawPath, url } from './url-text.ts';

/** A row under way, as author code sees it. */
export type RowScope = AttemptKey & {
  input: unknown;
  /** Values of the nodes that have run, by the node's place in the plan. */
  readonly values: unknown[];
  item: unknown;
};

export type AuthorFunction = (
  ...args: readonly [row: unknown, nodes: unknown, item: unknown, index: unknown]
) => unknown;

/** Source code of one function: an expression, or the body of a function. */
export type AuthorCode = {
  readonly kind: 'expression' | 'body';
  readonly code: string;
  readonly isAsync: boolean;
};

/** Takes what author code logs while that row is under way. Must not throw. */
export type RecordLog = (scope: RowScope, level: LogLevel, values: readonly unknown[]) => void;

export class Sandbox {
  readonly #compartment: Compartment;
  readonly #builtins: Readonly<Record<string, unknown>>;
  readonly #startAttempt: (key: Readonly<AttemptKey>) => void;
  #scope: RowScope | undefined;
  /** Seed of the run under way. */
  readonly #seed = { random: 0, time: 0 };
  #compiled: { readonly codes: string; readonly functions: AuthorFunction[] } | undefined;
  /** `nodes` as author code sees it: one frozen object whose getters read the row under way. */
  readonly nodes: object;

  constructor(nodeIds: readonly string[], recordLog: RecordLog) {
    this.#compartment = new Compartment({ __options__: true });
    const { math, startAttempt } = seededMath(this.#seed);
    this.#startAttempt = startAttempt;
    this.#builtins = removeUndocumented(this.#compartment.globalThis, {
      Math: math,
      Date: seededDate(this.#seed),
      console: this.#console(recordLog),
      rawPath,
      url,
    });
    this.nodes = this.#nodeView(nodeIds);
  }

  /** From here on chance and time are those of another run. */
  startRun({ random, time }: RunSeed): void {
    Object.assign(this.#seed, { random, time });
    this.#scope = undefined;
  }

  /** Makes `scope` the row that `nodes`, chance and later calls belong to. Before every call of author code. */
  enterRow(scope: RowScope): void {
    this.#scope = scope;
    this.#startAttempt(scope);
  }

  /**
   * Functions for all codes, in their order; for the same codes the same functions. A code that the engine refuses
   * becomes a function that says so.
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
      // One of them is at fault; alone, each shows whether it is the one.
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
    // A code that closes its function and opens another would shift those of other nodes.
    throw new NodeError('the code is not one function body');
  }

  /** Gives `undefined` whatever is logged, and no more of our own than that. */
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

/**
 * Functions with their own `this` (undefined) and `arguments`: an arrow would see those of the closure around it,
 * and an `arguments` object can be written to.
 */
function asFunction({ kind, code, isAsync }: AuthorCode): string {
  const head = `${isAsync ? 'async ' : ''}function (row, nodes, item, index)`;
  // In a block of its own a body may declare an `item` or `index` that hides the one it is given.
  return kind === 'expression' ? `${head} { return (${code}\n); }` : `${head} {{\n${code}\n}}`;
}

/** Leaves exactly the documented globals, `ours` among them, and freezes what is left. */
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
