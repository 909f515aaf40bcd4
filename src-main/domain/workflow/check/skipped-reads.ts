// Warnings about reads of nodes that may be skipped: `nodes.opener.text` fails the row if `opener` did not run.
// INVARIANT: a read is reported only if each run of its node makes it, and only if neither the node's own condition nor an
// assertion shows that the node it reads has run.
import type { JsonValue } from '../../../base/json-value.ts';
import { codeRegions } from '../../expressions/find-references.ts';
import { readLeadingExpression, type LeadingExpression } from '../../expressions/syntax.ts';
import { certainReads } from '../../expressions/value-reads.ts';
import type { Expression } from '../../expressions/value.ts';
import type { FileProblem } from '../file-problem.ts';
import type { NodePath } from '../node-path.ts';
import { expressionsOf, parsedFields } from '../node-reads.ts';
import { valueAt } from '../value-at.ts';
import type { WorkflowNode } from '../workflow.ts';
import { valuesIn } from './values-in.ts';

type Placed = { readonly node: WorkflowNode; readonly path: NodePath };

/** @param data the file, whose texts say where in them a read stands */
export function skippedReads(placed: readonly Placed[], data: JsonValue): FileProblem[] {
  const skippable = new Map(placed.flatMap(({ node }) => (node.when ? [[node.id, node.when] as const] : [])));
  if (skippable.size === 0) return [];
  const asserted = new Certainties(skippable);
  for (const { node } of placed) {
    if (node.type === 'assert' && !node.when) asserted.addAll([node.config.that]);
    if (node.type === 'fail' && node.when) asserted.addOpposite(node.when);
  }
  return placed.flatMap(({ node, path }) => {
    if (node.onError !== undefined || !expressionsOf(node).some((each) => readsOne(each, skippable)))
      return [];
    const own = new Certainties(skippable, asserted);
    if (node.when) own.addAll([node.when]);
    return readsOf({ node, path }, data).flatMap(({ id, isInCondition, ...position }): FileProblem[] => {
      const condition = skippable.get(id);
      if (condition === undefined || (isInCondition ? asserted : own).showRunOf(id)) return [];
      const when = shortened(condition.source);
      const message = `"${id}" may be skipped (when ${when}), and this reads it without "?."`;
      return [{ severity: 'warning', message, ...position }];
    });
  });
}

const readsOne = ({ nodeRefs }: Expression, ids: ReadonlyMap<string, unknown>): boolean =>
  nodeRefs.some((id) => ids.has(id));

type PlacedRead = Pick<FileProblem, 'path' | 'offset'> & {
  readonly id: string;
  /** True in `when` itself, which holds only later. */
  readonly isInCondition: boolean;
};

const readsOf = ({ node, path: nodePath }: Placed, data: JsonValue): readonly PlacedRead[] =>
  valuesIn(parsedFields(node), nodePath).flatMap(({ value, path }) => {
    const text = value.kind === 'literal' ? undefined : valueAt(data, path);
    if (typeof text !== 'string' || value.kind === 'literal') return [];
    const kind = value.kind === 'template' ? 'text' : value.kind;
    return codeRegions(kind, text).flatMap(({ tree, offset }) =>
      certainReads(tree).map((read) => ({
        id: read.id,
        path,
        offset: offset + read.offset,
        isInCondition: path.length === nodePath.length + 1 && path.at(-1) === 'when',
      })),
    );
  });

/** Conditions that hold when a node runs, and nodes that have run by then. */
class Certainties {
  readonly #skippable: ReadonlyMap<string, Expression>;
  readonly #conditions: Set<string>;
  readonly #ran: Set<string>;

  constructor(skippable: ReadonlyMap<string, Expression>, others?: Certainties) {
    this.#skippable = skippable;
    this.#conditions = new Set(others === undefined ? [] : others.#conditions);
    this.#ran = new Set(others === undefined ? [] : others.#ran);
  }

  /** A condition that reads a node knows whether that has run, and then its conditions held, too. */
  addAll(expressions: readonly Expression[]): void {
    for (const expression of expressions) {
      for (const condition of conditionsIn(expression.source)) this.#conditions.add(condition);
      for (const id of expression.nodeRefs) {
        const when = this.#ran.has(id) ? undefined : this.#skippable.get(id);
        this.#ran.add(id);
        if (when !== undefined) this.addAll([when]);
      }
    }
  }

  /** The opposite of the condition under which a row fails. */
  addOpposite({ source }: Expression): void {
    const [condition = '', ...others] = conditionsIn(source);
    if (others.length > 0) return;
    this.#conditions.add(
      condition.startsWith('! ')
        ? condition.slice(2).replace(/^\( (.*) \)$/, '$1')
        : condition.replace(/ ([!=])(==?) /, (_, first, equals) => ` ${first === '!' ? '=' : '!'}${equals} `),
    );
  }

  showRunOf(id: string): boolean {
    const { source = '' } = this.#skippable.get(id) ?? {};
    return this.#ran.has(id) || conditionsIn(source).every((condition) => this.#conditions.has(condition));
  }
}

/** The conditions that `&&` joins, each written in one way, whatever its spaces, quotes and comments are. */
function conditionsIn(source: string): readonly string[] {
  const read = readLeadingExpression(source);
  return read.ok ? joined(read.value.tree, read.value) : [source];
}

function joined(tree: LeadingExpression['tree'], syntax: LeadingExpression): readonly string[] {
  if (tree.type === 'LogicalExpression' && tree.operator === '&&')
    return [...joined(tree.left, syntax), ...joined(tree.right, syntax)];
  const tokens = syntax.tokens.filter(({ start, end }) => start >= tree.start && end <= tree.end);
  const words = tokens.map(({ type, start, end }) => {
    const text = syntax.text.slice(start, end);
    return type.label === 'string' ? `'${text.slice(1, -1)}'` : text;
  });
  return [words.join(' ')];
}

/** Characters of a condition in a message. */
const maxShownCondition = 80;

function shortened(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ');
  return line.length <= maxShownCondition ? line : `${line.slice(0, maxShownCondition)}…`;
}
