// Turns what the author wrote where a value is wanted into functions of a row under way. Codes are gathered first
// and evaluated together (`finish`), since that is when the sandbox can bind the builtins for all of them.
import { invariant } from '../../base/invariant.ts';
import type { Expression, Template, Value } from '../../domain/expressions/value.ts';
import { NodeError } from './node-error.ts';
import { asMade, freezeParsed, frozen, plainCopy, setOwn, textOfValue, withJson } from './plain-value.ts';
import { isMakerKey, type AuthorFunction, type Sandbox, type Scope } from './sandbox.ts';

export type Evaluate<T = unknown> = (scope: Scope) => T;

type Slot = { call: AuthorFunction };

type Shape = {
  readonly keys: readonly string[];
  readonly values: readonly Evaluate[];
  make: (scope: Scope) => object;
};

/** In one workflow. More of them are written by machines, and would take longer to be evaluated than rows gain by it. */
const mostMakerKeys = 1000;

export class Compiler {
  readonly #sandbox: Sandbox;
  readonly #codes: { readonly expression: Expression; readonly slot: Slot }[] = [];
  readonly #shapes: Shape[] = [];
  /** Of objects that are made by code of their own. */
  #keysLeft = mostMakerKeys;
  /** Of what is made of a row; known when all codes are gathered, so it is looked up for each value. */
  #finish = asMade;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Once all codes are gathered: whether none of them can change what it is given. Then nothing made of a row need be frozen. */
  get onlyReads(): boolean {
    return this.#finish === asMade;
  }

  /** Evaluates everything gathered. Nothing compiled may be called before. */
  finish(): void {
    const compiled = this.#sandbox.compile(
      this.#codes.map(({ expression: { kind, safeSource, isAsync } }) => ({
        kind,
        code: safeSource,
        isAsync,
      })),
    );
    this.#codes.forEach(({ slot }, place) => {
      slot.call = compiled[place] ?? slot.call;
    });
    const makers = this.#sandbox.makers(this.#shapes.map(({ keys }) => keys));
    this.#shapes.forEach((shape, place) => {
      const maker = makers[place];
      invariant(maker !== undefined, 'there is a maker for each list of keys');
      shape.make = maker(...shape.values);
    });
  }

  /** What the code gives, as it is: an author's own object, perhaps a promise. */
  raw(expression: Expression): Evaluate {
    const slot: Slot = { call: notFinished };
    this.#codes.push({ expression, slot });
    if (!expression.onlyReads) this.#finish = frozen;
    const { nodes } = this.#sandbox;
    return (scope) => {
      // Not as a method: `this` would be the slot, which an author could then write to.
      const { call } = slot;
      return call(scope.input, nodes, scope.item, scope.index);
    };
  }

  /** Plain JSON data, frozen where some code could change it; `undefined` where there is none. */
  value(value: Value): Evaluate {
    switch (value.kind) {
      case 'literal': {
        const constant = freezeParsed(value.value);
        return () => constant;
      }
      case 'expression':
      case 'body': {
        const raw = this.raw(value);
        return (scope) => plainCopy(raw(scope), this.#finish);
      }
      case 'template':
        return this.#template(value);
      case 'object':
        return this.#object(value.entries.map(([key, entry]) => [key, this.value(entry)]));
      case 'list': {
        const items = value.items.map((item) => this.value(item));
        return (scope) => this.#finish(items.map((item) => item(scope) ?? null));
      }
    }
  }

  /** Truth as JavaScript sees it. A promise is refused: it would always hold. */
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

  /** Gives a text with the value's JSON behind it; `null` for what is not there. */
  json(value: Value): (scope: Scope, text: string) => string {
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
    if (keys.length > 0 && this.#keysLeft >= keys.length && keys.every(isMakerKey)) {
      this.#keysLeft -= keys.length;
      const shape: Shape = { keys, values, make: notFinished };
      this.#shapes.push(shape);
      return (scope) => this.#finish(shape.make(scope));
    }
    return (scope) => {
      const made: Record<string, unknown> = {};
      for (let at = 0; at < keys.length; at += 1) {
        const entry = values[at]?.(scope);
        if (entry !== undefined) setOwn(made, keys[at] ?? '', entry);
      }
      return this.#finish(made);
    };
  }
}

const notFinished = (): never => {
  invariant(false, 'what is compiled is called after finish()');
};
