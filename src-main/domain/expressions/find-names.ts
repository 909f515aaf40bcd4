// Walks a syntax tree with its scopes: which names are free, which nodes are read, what the sandbox will not do.
// A local variable hides Rowbench's and JavaScript's names, as it does when the code runs.
import type { AnyNode, Function as FunctionNode, Identifier, MemberExpression, Pattern } from 'acorn';
import type { VariableDeclarator } from 'acorn';
import type { CodeProblem } from './code-problem.ts';
import { isRefused } from './safe-source.ts';
import { isCompartmentGlobal, type Scope } from './scope.ts';
import { blockNames, childrenOf, hoistedNames, patternNames } from './tree.ts';
import { unknownName, unknownNode, unknownVariable } from './unknown-name.ts';

/** Where code names a node, as a range of that code. */
export type NodeReference = {
  readonly id: string;
  /** The characters of the id itself, without quotes and brackets. */
  readonly from: number;
  readonly to: number;
  /** `{ id }` of a destructuring, which names a local variable as well. */
  readonly isShorthand: boolean;
};

/** Where code names a field of the row, or of a node's value, as a range of that code. */
export type FieldReference = Pick<NodeReference, 'from' | 'to' | 'isShorthand'> & {
  /** `row`, or `nodes.` and an id. */
  readonly owner: string;
  readonly name: string;
};

export type Names = {
  /** Ids read through `nodes.<id>`, each once, in order of appearance. */
  readonly nodeRefs: readonly string[];
  /** Every reference to a node. */
  readonly references: readonly NodeReference[];
  readonly fieldReferences: readonly FieldReference[];
  /** Offsets where the code reads the row otherwise than by the name of a field. `isComputed`: as `row[key]`. */
  readonly unclearRowReads: readonly { readonly offset: number; readonly isComputed: boolean }[];
  /** True if the code may read nodes that only running it could name, or if it has too many problems to go on. */
  readonly hasUnclearReads: boolean;
  /** Offset of the first `await` outside any inner function. */
  readonly awaitsAt: number | undefined;
  readonly problems: readonly CodeProblem[];
};

export function findNames(tree: AnyNode, scope: Scope): Names {
  const finder = new NameFinder(scope);
  finder.visit(tree, topFrame(tree));
  return finder;
}

/** Names declared in one scope of the code. */
type Frame = { readonly names: ReadonlySet<string>; readonly outer?: Frame; readonly inFunction: boolean };

const topFrame = (tree: AnyNode): Frame => ({
  names: new Set([...hoistedNames(tree), ...blockNames(tree)]),
  inFunction: false,
});

const within = (outer: Frame, names: Iterable<string>): Frame => ({
  names: new Set(names),
  outer,
  inFunction: outer.inFunction,
});

/** In one text; who has more has pasted something that is no code at all. */
const maxProblems = 50;

/** Names that code may only use with a name behind them, and why. */
const forms = {
  nodes: 'write nodes.<id>, because the order of the nodes is found from these',
  vars: 'write vars.<name>, because names that do not exist are found before the run',
} as const;
type Root = keyof typeof forms;

type Visitors = { [T in AnyNode['type']]?: (node: Extract<AnyNode, { type: T }>, frame: Frame) => void };

class NameFinder implements Names {
  awaitsAt: number | undefined;
  readonly problems: CodeProblem[] = [];
  readonly references: NodeReference[] = [];
  readonly fieldReferences: FieldReference[] = [];
  /** Offsets of `row`, by what is read there. */
  readonly #rowReads = new Map<number, 'field' | 'computed'>();
  readonly #rowOffsets: number[] = [];
  #hasUnclearReads = false;
  readonly #scope: Scope;
  readonly #nodeRefs = new Set<string>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  get nodeRefs(): readonly string[] {
    return [...this.#nodeRefs];
  }

  get unclearRowReads(): Names['unclearRowReads'] {
    return this.#rowOffsets
      .filter((offset) => this.#rowReads.get(offset) !== 'field')
      .map((offset) => ({ offset, isComputed: this.#rowReads.get(offset) === 'computed' }));
  }

  get hasUnclearReads(): boolean {
    return this.#hasUnclearReads || this.problems.length >= maxProblems;
  }

  visit(node: AnyNode, frame: Frame): void {
    if (this.problems.length >= maxProblems) return;
    const visitor = this.#visitors[node.type] as ((node: AnyNode, frame: Frame) => void) | undefined;
    if (visitor === undefined) this.#visitChildren(node, frame);
    else visitor(node, frame);
  }

  readonly #visitChildren = (node: AnyNode, frame: Frame): void => {
    for (const child of childrenOf(node)) this.visit(child, frame);
  };

  readonly #visitBlock = (node: AnyNode, frame: Frame): void =>
    this.#visitChildren(node, within(frame, blockNames(node)));

  readonly #visitFunction = (node: FunctionNode & AnyNode, frame: Frame): void => {
    const names = [...node.params.flatMap(patternNames), ...hoistedNames(node.body)];
    if (node.id && node.type === 'FunctionExpression') names.push(node.id.name);
    if (node.type !== 'ArrowFunctionExpression') names.push('arguments');
    const inner: Frame = { names: new Set(names), outer: frame, inFunction: true };
    for (const child of [...node.params, node.body]) this.visit(child, inner);
  };

  /** Object members and class members: the key is a name only in brackets. */
  readonly #visitMember = (
    node: { computed: boolean; key: AnyNode; value?: AnyNode | null },
    frame: Frame,
  ): void => {
    if (node.computed) this.visit(node.key, frame);
    if (node.value) this.visit(node.value, frame);
  };

  readonly #refuse =
    (message: string) =>
    (node: AnyNode): void =>
      this.#report(message, node.start);

  readonly #visitors: Visitors = {
    Identifier: (node, frame) => this.#visitIdentifier(node, frame),
    MemberExpression: (node, frame) => this.#visitMemberExpression(node, frame),
    VariableDeclarator: (node, frame) => this.#visitDeclarator(node, frame),
    FunctionDeclaration: this.#visitFunction,
    FunctionExpression: this.#visitFunction,
    ArrowFunctionExpression: this.#visitFunction,
    Property: this.#visitMember,
    MethodDefinition: this.#visitMember,
    PropertyDefinition: this.#visitMember,
    ClassExpression: (node, frame) => this.#visitChildren(node, within(frame, node.id ? [node.id.name] : [])),
    BlockStatement: this.#visitBlock,
    StaticBlock: this.#visitBlock,
    SwitchStatement: this.#visitBlock,
    ForStatement: this.#visitBlock,
    ForInStatement: this.#visitBlock,
    ForOfStatement: (node, frame) => {
      if (node.await) this.#noteAwait(node, frame);
      this.#visitBlock(node, frame);
    },
    CatchClause: (node, frame) =>
      this.#visitChildren(node, within(frame, node.param ? patternNames(node.param) : [])),
    AwaitExpression: (node, frame) => {
      this.#noteAwait(node, frame);
      this.visit(node.argument, frame);
    },
    LabeledStatement: (node, frame) => this.visit(node.body, frame),
    BreakStatement: () => undefined,
    ContinueStatement: () => undefined,
    TaggedTemplateExpression: (node, frame) => {
      // A tag sees the raw text, so it cannot be respelt for the sandbox.
      const refused = node.quasi.quasis.find((part) => isRefused(part.value.raw));
      if (refused)
        this.#report('A tagged template cannot hold text that reads like import(…)', refused.start);
      this.#visitChildren(node, frame);
    },
    MetaProperty: (node) => {
      if (node.meta.name === 'import') this.#report('import.meta is not available here', node.start);
    },
    ImportExpression: this.#refuse('import() is not available here: workflow code has no modules'),
    ImportDeclaration: this.#refuse('import is not available here: workflow code has no modules'),
    ExportNamedDeclaration: this.#refuse('export is not available here: return the value instead'),
    ExportDefaultDeclaration: this.#refuse('export is not available here: return the value instead'),
    ExportAllDeclaration: this.#refuse('export is not available here: return the value instead'),
  };

  #noteAwait(node: AnyNode, frame: Frame): void {
    if (!frame.inFunction) this.awaitsAt ??= node.start;
  }

  #visitIdentifier(node: Identifier, frame: Frame): void {
    if (isDeclared(node.name, frame)) return;
    if (node.name === 'row') this.#rowOffsets.push(node.start);
    const root = this.#rootOf(node, frame);
    if (root !== undefined) {
      this.#reportUnclear(root, `"${root}" cannot be used as a whole`, node.start);
    } else if (!this.#scope.names.includes(node.name) && !isCompartmentGlobal(node.name)) {
      this.#report(unknownName(node.name, this.#scope), node.start);
    }
  }

  #visitMemberExpression(node: MemberExpression, frame: Frame): void {
    const root = this.#rootOf(node.object, frame);
    if (root === undefined) {
      const isField = this.#addField(this.#ownerOf(node.object, frame), node);
      this.#rowReads.set(node.object.start, isField ? 'field' : 'computed');
      this.visit(node.object, frame);
      if (node.computed) this.visit(node.property, frame);
      return;
    }
    const id = keyOf(node.property, node.computed);
    if (id === undefined) {
      this.#reportUnclear(root, `${root}[…] cannot be worked out before the run`, node.property.start);
    } else this.#addReference({ root, id }, node.property);
  }

  /** `const { company, hot: label } = nodes` names its nodes as clearly as `nodes.company` does. */
  #visitDeclarator(node: VariableDeclarator, frame: Frame): void {
    if (node.id.type !== 'ObjectPattern' || !node.init) return this.#visitChildren(node, frame);
    const root = this.#rootOf(node.init, frame);
    if (root === undefined) {
      const owner = this.#ownerOf(node.init, frame);
      const areFields = node.id.properties.map(
        (property) =>
          property.type === 'Property' &&
          this.#addField(owner, { property: property.key, computed: property.computed }, property.shorthand),
      );
      if (areFields.every(Boolean)) this.#rowReads.set(node.init.start, 'field');
      return this.#visitChildren(node, frame);
    }
    for (const property of node.id.properties) {
      const id = property.type === 'Property' ? keyOf(property.key, property.computed) : undefined;
      if (id === undefined) {
        const message = `This part of ${root} cannot be worked out before the run`;
        this.#reportUnclear(root, message, property.start);
      } else if (property.type === 'Property')
        this.#addReference({ root, id }, property.key, property.shorthand);
      if (property.type === 'Property') this.visit(property.value, frame);
    }
  }

  #rootOf(node: AnyNode, frame: Frame): Root | undefined {
    if (node.type !== 'Identifier' || (node.name !== 'nodes' && node.name !== 'vars')) return undefined;
    return this.#scope.names.includes(node.name) && !isDeclared(node.name, frame) ? node.name : undefined;
  }

  /** `row`, or `nodes.<id>`; undefined for any other code. */
  #ownerOf(node: AnyNode, frame: Frame): string | undefined {
    if (node.type === 'ChainExpression') return this.#ownerOf(node.expression, frame);
    if (node.type === 'Identifier')
      return node.name === 'row' && this.#scope.names.includes('row') && !isDeclared('row', frame)
        ? 'row'
        : undefined;
    if (node.type !== 'MemberExpression' || this.#rootOf(node.object, frame) !== 'nodes') return undefined;
    const id = keyOf(node.property, node.computed);
    return id === undefined ? undefined : `nodes.${id}`;
  }

  #addField(
    owner: string | undefined,
    { property, computed }: { readonly property: AnyNode; readonly computed: boolean },
    isShorthand = false,
  ): boolean {
    const name = owner === undefined ? undefined : keyOf(property, computed);
    if (owner === undefined || name === undefined) return false;
    const quotes = property.type === 'Identifier' ? 0 : 1;
    const range = { from: property.start + quotes, to: property.end - quotes };
    this.fieldReferences.push({ owner, name, ...range, isShorthand });
    return true;
  }

  #addReference(
    { root, id }: { readonly root: Root; readonly id: string },
    key: AnyNode,
    isShorthand = false,
  ): void {
    if (root === 'vars') return this.#checkVariable(id, key.start);
    const quotes = key.type === 'Identifier' ? 0 : 1;
    this.references.push({ id, from: key.start + quotes, to: key.end - quotes, isShorthand });
    this.#checkNode(id, key.start);
  }

  #checkNode(id: string, offset: number): void {
    const { nodeIds, outerIds } = this.#scope;
    if (nodeIds === undefined || nodeIds.has(id)) this.#nodeRefs.add(id);
    else this.#report(unknownNode(id, { nodeIds, outerIds }), offset);
  }

  #checkVariable(name: string, offset: number): void {
    const { vars } = this.#scope;
    if (vars?.has(name) === false) this.#report(unknownVariable(name, vars), offset);
  }

  #reportUnclear(root: Root, message: string, offset: number): void {
    if (root === 'nodes') this.#hasUnclearReads = true;
    this.#report(`${message}: ${forms[root]}`, offset);
  }

  #report(message: string, offset: number): void {
    this.problems.push({ message, offset });
  }
}

function isDeclared(name: string, frame: Frame): boolean {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    if (at.names.has(name)) return true;
  }
  return false;
}

/** The key that `nodes.key`, `nodes['key']` or `{ key }` names; undefined where only running the code can tell. */
function keyOf(key: AnyNode | Pattern, computed: boolean): string | undefined {
  if (key.type === 'Identifier' && !computed) return key.name;
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) {
    return key.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}
