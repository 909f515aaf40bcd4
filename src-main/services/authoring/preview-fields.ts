// The expressions of one node in a preview, each with its value. For each expression the plan gets a node of its own, as
// early as it can run, and what those nodes give is taken out of the results again. Who calls: PreviewService.
import { invariant } from '../../base/invariant.ts';
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { errorName } from '../../domain/expressions/scope.ts';
import type { Expression, Template, Value } from '../../domain/expressions/value.ts';
import { beginning, previewValue } from '../../domain/rows/preview-row.ts';
import { maxPreviewCharacters, type PreviewedField } from '../../domain/run/preview.ts';
import type { PathStep } from '../../domain/workflow/file-problem.ts';
import { parsedFields } from '../../domain/workflow/node-reads.ts';
import type { NodeOf, Workflow, WorkflowNode } from '../../domain/workflow/workflow.ts';
import type { Plan } from '../../executor/plan.ts';
import type { PreviewOptions } from '../../executor/run/preview-rows.ts';
import type { PreviewResult, TracedValue } from './describe-preview.ts';

/** The fields of a node that show a value, by the ids of the nodes that work them out. */
export type FieldNodes = ReadonlyMap<string, readonly PathStep[]>;

/** A node with more expressions shows the values of the first ones. */
const maxFields = 50;
/** No author's node can have an id with a blank. */
const idOf = (index: number): string => `field ${index}`;
const valueKey = 'value';
const errorKey = 'error';

/** The workflow with a node for each expression of the node `nodeId`. @param item for which they are worked out, from 1 */
export async function withFieldNodes(
  workflow: Workflow,
  nodeId: string | undefined,
  item = 1,
): Promise<{ readonly workflow: Workflow; readonly fields: FieldNodes }> {
  const node = workflow.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) return { workflow, fields: new Map() };
  const fields = fieldsOf(node).slice(0, maxFields);
  const ifFailed = await errorMessage();
  const added = fields.map((field, index) => fieldNode(node, { ...field, id: idOf(index), item, ifFailed }));
  return {
    workflow: { ...workflow, nodes: [...added, ...workflow.nodes] },
    fields: new Map(fields.map(({ path }, index) => [idOf(index), path])),
  };
}

/** How a preview goes on if one of the added nodes stops it: its own node, which has the expression, is stopped instead. */
export function afterSlowField({ plan, fields, fieldsOf }: FieldsOfPlan): StoppedPreview {
  if (fields.size === 0) return {};
  const nodes = plan.nodes.filter(({ id }) => !fields.has(id));
  const owner = nodes.find(({ id }) => id === fieldsOf);
  return {
    planIfStopped: { ...plan, nodes },
    // A switch does not need all values of its cases.
    stoppedWith: (nodeId) => (fields.has(nodeId) && owner?.type !== 'switch' ? owner?.id : undefined),
  };
}

type FieldsOfPlan = {
  readonly plan: Plan;
  readonly fields: FieldNodes;
  /** Id of the node with the fields. */
  readonly fieldsOf: string | undefined;
};
type StoppedPreview = Pick<PreviewOptions, 'planIfStopped' | 'stoppedWith'>;

/** The results without the added nodes, and with the values that these gave. */
export const separateFields = (
  results: readonly PreviewResult[],
  fields: FieldNodes,
): readonly PreviewResult[] =>
  fields.size === 0
    ? results
    : results.map(({ view, values, ...rest }) => ({
        ...rest,
        view: {
          ...view,
          nodes: view.nodes.filter(({ nodeId }) => !fields.has(nodeId)),
          fields: [...fields].flatMap(([id, path]) => previewedField(path, values.get(id))),
        },
        itemsRead: itemsRead(fields, values),
        values: new Map([...values].filter(([id]) => !fields.has(id))),
      }));

type NewFieldNode = Field & { readonly id: string; readonly item: number; readonly ifFailed: Expression };
type FieldValue = Expression | Template;
type Field = { readonly path: readonly PathStep[]; readonly value: FieldValue };

/** `onError` and `repeat` are left out: there is no error or earlier answer that they could read. */
function fieldsOf(node: WorkflowNode): readonly Field[] {
  return Object.entries(parsedFields(node)).flatMap(([key, part]) =>
    key === 'onError' || key === 'repeat' ? [] : fieldsIn(part, [key]),
  );
}

function fieldsIn(part: unknown, path: readonly PathStep[]): readonly Field[] {
  if (typeof part !== 'object' || part === null) return [];
  if (!isValue(part)) return membersOf(part).flatMap(([key, each]) => fieldsIn(each, [...path, key]));
  switch (part.kind) {
    case 'expression':
    case 'template':
      return [{ path, value: part }];
    case 'object':
      return part.entries.flatMap(([key, each]) => fieldsIn(each, [...path, key]));
    case 'list':
      return part.items.flatMap((each, index) => fieldsIn(each, [...path, index]));
    default:
      return [];
  }
}

const valueKinds: readonly unknown[] = ['literal', 'expression', 'body', 'template', 'object', 'list'];

const isValue = (part: object): part is Value => 'kind' in part && valueKinds.includes(part.kind);

const membersOf = (part: object): readonly (readonly [PathStep, unknown])[] =>
  Array.isArray(part) ? [...(part as readonly unknown[]).entries()] : Object.entries(part);

function fieldNode(
  { line, each }: WorkflowNode,
  { id, path: [key], value, item, ifFailed }: NewFieldNode,
): NodeOf<'set'> {
  const isOfItem = each !== undefined && key !== 'when' && key !== 'each';
  return {
    id,
    line,
    after: [],
    type: 'set',
    config: {
      values: { kind: 'object', entries: [[valueKey, isOfItem ? atIndex(value, item - 1) : value]] },
    },
    ...(isOfItem ? { each: oneItem(each, item) } : {}),
    onError: { value: { kind: 'object', entries: [[errorKey, ifFailed]] } },
  };
}

/** A list with that item, from 1; an empty one where there is none, since that must not fail the row. */
const oneItem = (each: Expression, item: number): Expression => ({
  ...each,
  safeSource: `(() => { try { return [...(\n${each.safeSource}\n)].slice(${item - 1}, ${item}); } catch { return []; } })()`,
});

/** The expressions of the value with that `index`: their list has one item, whose index would be 0. */
function atIndex(value: FieldValue, index: number): FieldValue {
  const placed = (code: Expression): Expression => ({
    ...code,
    safeSource: `((index) => (\n${code.safeSource}\n))(${index})`,
  });
  return value.kind === 'template'
    ? { ...value, parts: value.parts.map((part) => (typeof part === 'string' ? part : placed(part))) }
    : placed(value);
}

async function errorMessage(): Promise<Expression> {
  // The start of a server does not load the parsers.
  const { parseExpression } = await import('../../domain/expressions/parse-expression.ts');
  const parsed = parseExpression(`${errorName}.message`, { names: [errorName] });
  invariant(parsed.ok, 'the message of an error is an expression');
  return parsed.value;
}

/** The list that `each` of the node gives; undefined for a node without it, and for a list that is too large. */
function itemsRead(fields: FieldNodes, values: PreviewResult['values']): TracedValue | undefined {
  const [id = ''] = [...fields].find(([, path]) => path[0] === 'each') ?? [];
  const traced = values.get(id);
  if (traced?.kind !== 'whole' || !isJsonObject(traced.value)) return undefined;
  const list = traced.value[valueKey];
  return list === undefined ? undefined : { kind: 'whole', value: list };
}

function previewedField(
  path: readonly PathStep[],
  traced: TracedValue | undefined,
): readonly PreviewedField[] {
  if (traced?.kind === 'cut') {
    const text = beginning(traced.text, maxPreviewCharacters);
    return [{ path, value: { kind: 'text', text, length: traced.text.length, isLonger: true } }];
  }
  if (traced?.kind !== 'whole') return [];
  const [result] = Array.isArray(traced.value) ? (traced.value as readonly JsonValue[]) : [traced.value];
  if (!isJsonObject(result)) return [];
  const { [valueKey]: value, [errorKey]: error } = result;
  if (value !== undefined) return [{ path, value: previewValue(value, maxPreviewCharacters) }];
  return [typeof error === 'string' ? { path, error } : { path }];
}
