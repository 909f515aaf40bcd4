// The JavaScript parser with a bound on nesting. Acorn calls itself for whatever is nested. Near the end of the stack V8
// does not always throw a RangeError: a regular expression that has to be compiled there, and acorn has many, aborts the
// whole process. So depth is counted where acorn recurses, which no text can mislead. Who calls: syntax.ts.
// INVARIANT: every cycle in acorn's grammar passes through one of `productions`.
import { Parser } from 'acorn';
import { invariant } from '../../base/invariant.ts';

export const tooDeep = 'The code is nested too deeply';

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
export const BoundedParser: typeof Parser = Parser.extend((Base) => {
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
