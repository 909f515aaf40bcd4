// Compiles the author's values into functions of the current row. Codes are collected first and evaluated together in
// `finish`, so that the sandbox binds the builtins once for all of them.
import { invariant } from '../../base/invariant.ts';
import type { Expression, Template, Value } from '../../domain/expressions/value.ts';
import { NodeError } from './node-error.ts';
import { freezeParsed, plainCopy, setOwn, textOfValue, withJson } from './plain-value.ts';
import type { AuthorFunction, Sandbox, RowScope } from './sandbox.ts';

export type Evaluate<T = unknown> = (scope: RowScope) => T;

type Slot = { call: AuthorFunction };
type Code = { readonly expression: Expression; readonly slot: Slot };

const own = (): { codes: Code[]; isRepeated: boolean } => ({ codes: [], isRepeated: false });

export class Compiler {
  readonly #sandbox: Sandbox;
  readonly #codes: Code[];
  readonly #isRepeated: boolean;

  constructor(sandbox: Sandbox, { codes, isRepeated }: { codes: Code[]; isRepeated: boolean } = own()) {
    this.#sandbox = sandbox;
    this.#codes = codes;
    this.#isRepeated = isRepeated;
  }

  /** A compiler of the same workflow for what stands in `repeat`, which may read `previous` and `round`. */
  forRepeat(): Compiler {
    return new Compiler(this.#sandbox, { codes: this.#codes, isRepeated: true });
  }

  /** Evaluates all collected code. Compiled functions must not be called before. */
  finish(): void {
    const compiled = this.#sandbox.compile(
      this.#codes.map(({ expression: { kind, safeSource, isAsync } }) => ({
        kind,
        code: safeSource,
        isAsync,
      })),
    );
    this.#codes.forEach(({ slot }, index) => {
      slot.call = compiled[index] ?? slot.call;
    });
  }

  /** Compiles code to a function that returns the code's value uncopied: an author's own object, perhaps a promise. */
  raw(expression: Expression): Evaluate {
    const slot: Slot = { call: notFinished };
    this.#codes.push({ expression, slot });
    const { nodes } = this.#sandbox;
    if (this.#isRepeated)
      return (scope) => {
        const { call } = slot;
        const { input, item, itemIndex, error, previous, round } = scope;
        return call(input, nodes, item, itemIndex, error, previous, round);
      };
    return (scope) => {
      // Not called as a method: `this` would be the slot, which author code could then change.
      const { call } = slot;
      return call(scope.input, nodes, scope.item, scope.itemIndex, scope.error);
    };
  }

  /** Compiles a value to a function that returns frozen JSON data, or `undefined`. */
  value(value: Value): Evaluate {
    switch (value.kind) {
      case 'literal': {
        const constant = freezeParsed(value.value);
        return () => constant;
      }
      case 'expression':
      case 'body': {
        const raw = this.raw(value);
        return (scope) => plainCopy(raw(scope));
      }
      case 'template':
        return this.#template(value);
      case 'object':
        return this.#object(value.entries.map(([key, entry]) => [key, this.value(entry)]));
      case 'list': {
        const items = value.items.map((item) => this.value(item));
        return (scope) => Object.freeze(items.map((item) => item(scope) ?? null));
      }
    }
  }

  /** Compiles a condition, with JavaScript's truth. It refuses a promise, which would always be true. */
  condition(expression: Expression): Evaluate<boolean> {
    const raw = this.raw(expression);
    return (scope) => {
      const answer = raw(scope);
      if (answer instanceof Promise) throw new NodeError('a condition cannot be a promise');
      return Boolean(answer);
    };
  }

  text(value: Value): Evaluate<string> {
    const evaluate = value.kind === 'template' ? this.#template(value) : this.value(value);
    return (scope) => textOfValue(evaluate(scope));
  }

  /** Compiles a value to a function that appends its JSON to a text; `null` for a missing value. */
  json(value: Value): (scope: RowScope, text: string) => string {
    const evaluate =
      value.kind === 'expression' || value.kind === 'body' ? this.raw(value) : this.value(value);
    return (scope, text) => withJson(text, evaluate(scope));
  }

  // Plain loops below: they run for every row, and hardening the realm makes iterators slow.

  #template(template: Template): Evaluate<string> {
    const parts = template.parts.map((part) => (typeof part === 'string' ? part : this.raw(part)));
    return (scope) => {
      let text = '';
      for (let at = 0; at < parts.length; at += 1) {
        const part = parts[at];
        text += typeof part === 'function' ? textOfValue(part(scope)) : part;
      }
      return text;
    };
  }

  #object(entries: readonly (readonly [string, Evaluate])[]): Evaluate {
    const keys = entries.map(([key]) => key);
    const values = entries.map(([, evaluate]) => evaluate);
    return (scope) => {
      const made: Record<string, unknown> = {};
      for (let at = 0; at < keys.length; at += 1) {
        const entry = values[at]?.(scope);
        if (entry !== undefined) setOwn(made, keys[at] ?? '', entry);
      }
      return Object.freeze(made);
    };
  }
}

const notFinished = (): never => {
  invariant(false, 'what is compiled is called after finish()');
};
