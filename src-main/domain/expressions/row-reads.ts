// Finds which fields of the row a piece of code reads and how it uses them, so that a sample row can be made up for a
// workflow that declares no fields. It is a guess from the text: no check and no run depends on it.
import type { AnyNode, BinaryExpression, CallExpression, MemberExpression } from 'acorn';
import type { Pattern, VariableDeclarator } from 'acorn';
import { blockNames, childrenOf, hoistedNames, patternNames } from './tree.ts';

/** The kind of value that a use of a field asks for. `value`: the field itself is the value of the expression. */
export type FieldUse = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'date' | 'value';

type RowRead = {
  /** Keys from the row inwards: `row.address.city` is `['address', 'city']`. An index into a list is `'0'`. */
  readonly path: readonly string[];
  /** Absent where any kind of value will do. */
  readonly use?: FieldUse;
};

/** Maximum reads that are noted for one expression: a sample row holds no more fields. */
const maxReads = 100;

/** Maximum keys of a path; what is read further inside is left out. */
const maxPathLength = 16;

/** Reads of `row` in an expression or a body, in the order of the text; equal ones may be repeated. */
export function rowReads(tree: AnyNode): readonly RowRead[] {
  const finder = new RowReadFinder();
  try {
    finder.visit(tree, shadowed(new Map([['row', []]]), declaredIn(tree)), 'value');
  } catch (error) {
    // Nested more deeply than can be looked through: a guess needs no more.
    if (!(error instanceof RangeError)) throw error;
  }
  return finder.reads;
}

type Path = readonly string[];

/** Names that stand for the row or a part of it; undefined for a name that hides an outer one. */
type Aliases = Map<string, Path | undefined>;

function shadowed(outer: Aliases, names: readonly string[]): Aliases {
  const inner = new Map(outer);
  for (const name of names) inner.set(name, undefined);
  return inner;
}

/** Names that a body declares; an expression declares none, and is not walked for them. */
const declaredIn = (body: AnyNode): readonly string[] =>
  body.type === 'Program' || body.type === 'BlockStatement'
    ? [...blockNames(body), ...hoistedNames(body)]
    : [];

type Visitors = {
  [T in AnyNode['type']]?: (
    node: Extract<AnyNode, { type: T }>,
    aliases: Aliases,
    use: FieldUse | undefined,
  ) => void;
};

class RowReadFinder {
  readonly reads: RowRead[] = [];

  visit(node: AnyNode, aliases: Aliases, use?: FieldUse): void {
    if (this.reads.length >= maxReads) return;
    const path = pathOf(node, aliases);
    if (path !== undefined) return this.#note(path, use);
    const visitor = this.#visitors[node.type] as
      ((node: AnyNode, aliases: Aliases, use: FieldUse | undefined) => void) | undefined;
    if (visitor === undefined) this.#visitChildren(node, aliases);
    else visitor(node, aliases, use);
  }

  #note(path: Path, use: FieldUse | undefined): void {
    if (path.length === 0) return;
    const isLength = path.length > 1 && path.at(-1) === 'length';
    if (isLength) this.reads.push({ path: path.slice(0, -1), use: 'text' });
    else this.reads.push(use === undefined ? { path } : { path, use });
  }

  readonly #visitChildren = (node: AnyNode, aliases: Aliases): void => {
    for (const child of childrenOf(node)) this.visit(child, aliases);
  };

  readonly #visitBlock = (node: AnyNode, aliases: Aliases): void =>
    this.#visitChildren(node, shadowed(aliases, blockNames(node)));

  readonly #visitFunction = (
    node: { readonly params: readonly Pattern[]; readonly body: AnyNode },
    aliases: Aliases,
  ): void => {
    const inner = shadowed(aliases, [...node.params.flatMap(patternNames), ...declaredIn(node.body)]);
    for (const child of [...node.params, node.body]) this.visit(child, inner);
  };

  readonly #visitors: Visitors = {
    MemberExpression: (node, aliases) => this.#visitMember(node, aliases),
    ChainExpression: (node, aliases, use) => this.visit(node.expression, aliases, use),
    Property: (node, aliases) => {
      if (node.computed) this.visit(node.key, aliases);
      this.visit(node.value, aliases);
    },
    CallExpression: (node, aliases) => this.#visitCall(node, aliases),
    NewExpression: (node, aliases) => {
      const use = constructorUses.get(nameOf(node.callee) ?? '');
      for (const argument of node.arguments) this.visit(argument, aliases, use);
    },
    BinaryExpression: (node, aliases) => this.#visitBinary(node, aliases),
    UnaryExpression: ({ operator, argument }, aliases) =>
      this.visit(argument, aliases, '-+~'.includes(operator) ? 'number' : undefined),
    LogicalExpression: ({ operator, left, right }, aliases, use) => {
      this.visit(left, aliases, operator === '&&' ? undefined : (literalUse(right) ?? use));
      this.visit(right, aliases, use);
    },
    ConditionalExpression: (node, aliases, use) => {
      this.visit(node.test, aliases);
      this.visit(node.consequent, aliases, use);
      this.visit(node.alternate, aliases, use);
    },
    ArrayExpression: ({ elements }, aliases) => {
      for (const element of elements)
        if (element?.type === 'SpreadElement') this.visit(element.argument, aliases, 'list');
        else if (element) this.visit(element, aliases);
    },
    ExpressionStatement: (node, aliases) => this.visit(node.expression, aliases),
    VariableDeclarator: (node, aliases) => this.#visitDeclarator(node, aliases),
    ForOfStatement: (node, aliases) => {
      this.visit(node.right, aliases, 'list');
      const inner = shadowed(aliases, blockNames(node));
      for (const child of [node.left, node.body]) this.visit(child, inner);
    },
    AssignmentExpression: (node, aliases) => this.visit(node.right, aliases),
    FunctionDeclaration: this.#visitFunction,
    FunctionExpression: this.#visitFunction,
    ArrowFunctionExpression: this.#visitFunction,
    BlockStatement: this.#visitBlock,
    SwitchStatement: this.#visitBlock,
    ForStatement: this.#visitBlock,
    ForInStatement: this.#visitBlock,
    CatchClause: (node, aliases) =>
      this.#visitChildren(node, shadowed(aliases, node.param ? patternNames(node.param) : [])),
  };

  /** A member of something else than the row. A long chain is walked in a loop, from its end to its beginning. */
  #visitMember(node: MemberExpression, aliases: Aliases): void {
    let at: AnyNode = node;
    while (at.type === 'MemberExpression' || at.type === 'ChainExpression') {
      if (at.type === 'MemberExpression' && keyOf(at.property, at.computed) === undefined) {
        this.visit(at.property, aliases);
        return this.visit(at.object, aliases);
      }
      at = at.type === 'MemberExpression' ? at.object : at.expression;
    }
    if (at.type !== 'Identifier') this.visit(at, aliases);
  }

  #visitCall({ callee, arguments: passed }: CallExpression, aliases: Aliases): void {
    const path = pathOf(callee, aliases);
    const method = path?.at(-1);
    // `row.name.trim()` reads the name; `row.hasOwnProperty()` reads no field.
    if (path === undefined || method === undefined) this.visit(callee, aliases);
    else this.#note(path.slice(0, -1), methodUses.get(method));
    const use = functionUses.get(nameOf(callee) ?? '');
    for (const argument of passed)
      if (argument.type === 'SpreadElement') this.visit(argument.argument, aliases, 'list');
      else this.visit(argument, aliases, use);
  }

  #visitBinary({ operator, left, right }: BinaryExpression, aliases: Aliases): void {
    const use = (other: AnyNode): FieldUse | undefined => {
      if (arithmetic.has(operator)) return 'number';
      const literal = literalUse(other);
      if (comparisons.has(operator)) return literal ?? 'number';
      return operator === '+' && literal !== 'number' ? undefined : literal;
    };
    this.visit(left, aliases, use(right));
    this.visit(right, aliases, use(left));
  }

  /** A name that is declared as a part of the row stands for that part from here on. */
  #visitDeclarator({ id, init }: VariableDeclarator, aliases: Aliases): void {
    const path = init ? pathOf(init, aliases) : undefined;
    if (path !== undefined) return this.#bind(id, { path }, aliases);
    this.visit(id, aliases);
    if (init) this.visit(init, aliases);
  }

  #bind(pattern: Pattern, { path, use }: RowRead, aliases: Aliases): void {
    switch (pattern.type) {
      case 'Identifier':
        aliases.set(pattern.name, path);
        return this.#note(path, use);
      case 'AssignmentPattern': {
        const defaultUse = literalUse(pattern.right);
        return this.#bind(
          pattern.left,
          defaultUse === undefined ? { path } : { path, use: defaultUse },
          aliases,
        );
      }
      case 'ArrayPattern':
        return this.#note(path, 'list');
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          const key = property.type === 'Property' ? keyOf(property.key, property.computed) : undefined;
          if (property.type === 'Property' && key !== undefined)
            this.#bind(property.value, { path: [...path, key] }, aliases);
        }
        return;
      default:
        return;
    }
  }
}

/** Keys from the row to the value that a node reads; undefined for anything but a path into the row. */
function pathOf(node: AnyNode, aliases: Aliases): Path | undefined {
  if (node.type === 'Identifier') return aliases.get(node.name);
  if (node.type === 'ChainExpression') return pathOf(node.expression, aliases);
  if (node.type !== 'MemberExpression') return undefined;
  const key = keyOf(node.property, node.computed);
  const path = key === undefined ? undefined : pathOf(node.object, aliases);
  return key === undefined || path === undefined || path.length >= maxPathLength ? undefined : [...path, key];
}

function keyOf(key: AnyNode, computed: boolean): string | undefined {
  if (key.type === 'Identifier' && !computed) return key.name;
  if (key.type !== 'Literal') return undefined;
  // Which entry of a list is read makes no difference to a list that has one.
  return typeof key.value === 'number' ? '0' : typeof key.value === 'string' ? key.value : undefined;
}

/** `Number` for a call of `Number`, `Math` for one of `Math.max`. */
function nameOf(callee: AnyNode): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier'
    ? callee.object.name
    : undefined;
}

function literalUse(node: AnyNode): FieldUse | undefined {
  if (node.type === 'ArrayExpression') return 'list';
  if (node.type === 'ObjectExpression') return 'object';
  if (node.type !== 'Literal') return undefined;
  const kind = typeof node.value;
  return kind === 'string' ? 'text' : kind === 'number' || kind === 'boolean' ? kind : undefined;
}

const arithmetic: ReadonlySet<string> = new Set(['-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);
const comparisons: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);

/** Functions of the language, by the kind of their arguments. */
const functionUses: ReadonlyMap<string, FieldUse> = new Map(
  Object.entries({
    Number: 'number',
    BigInt: 'number',
    Math: 'number',
    isFinite: 'number',
    isNaN: 'number',
    parseFloat: 'number',
    parseInt: 'number',
    Date: 'date',
    encodeURIComponent: 'text',
  } satisfies Record<string, FieldUse>),
);

const constructorUses: ReadonlyMap<string, FieldUse> = new Map(
  Object.entries({
    Date: 'date',
    Map: 'list',
    Set: 'list',
  } satisfies Record<string, FieldUse>),
);

const uses = (use: FieldUse, methods: string): (readonly [string, FieldUse])[] =>
  methods.split(' ').map((method) => [method, use] as const);

/** Methods by the kind of value that has them; those that texts and lists share count as text. */
const methodUses: ReadonlyMap<string, FieldUse> = new Map([
  ...uses('number', 'toFixed toExponential toPrecision'),
  ...uses('list', 'every fill filter find findIndex findLast findLastIndex flat flatMap forEach join map'),
  ...uses('list', 'reduce reduceRight reverse some sort toReversed toSorted toSpliced with entries'),
  ...uses('text', 'at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf'),
  ...uses('text', 'localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search'),
  ...uses('text', 'slice split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart'),
]);
