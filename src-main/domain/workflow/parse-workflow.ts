// From the text of a workflow file to a workflow, or to everything that is wrong with it: all issues at once, each
// with its line and column. Called wherever a file is read (services, `rowbench validate`); never throws on any text.
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { didYouMean } from '../closest-name.ts';
import { checkNodes, doubtfulNodes, type PlacedNode } from './check/check-workflow.ts';
import type { FileDocument } from './file-document.ts';
import type { FileProblem } from './file-problem.ts';
import { limitIssues, maxIssues, type Issue } from './issue.ts';
import {
  fileNodes,
  innerId,
  nodePathOf,
  nodesAt,
  ownerOf,
  type NodePath,
  type NodesPath,
} from './node-path.ts';
import { nodeParser, type NodeSource } from './parse-node.ts';
import { readFile } from './read-file.ts';
import { checkPart } from './check/schema-problems.ts';
import { valueAt } from './value-at.ts';
import { writtenVariables } from './variables.ts';
import { formatVersion, maxNodes, workflowKeys } from './workflow-keys.ts';
import type { Variable, Workflow, WorkflowNode } from './workflow.ts';

export type ParsedWorkflow = {
  /** Absent when an issue is an error. */
  readonly workflow?: Workflow;
  /** The id that the file gives itself, as far as it could be read. */
  readonly id?: string;
  /** In the order of the file. */
  readonly issues: readonly Issue[];
};

/** Reads YAML or JSON. */
export function parseWorkflow(text: string): ParsedWorkflow {
  const { document, issues, refused = [] } = readFile(text);
  if (document === undefined) return { issues: limitIssues(issues) };
  const { workflow, problems } = fromJson(document);
  // A value that is refused is no value, so what else is wrong with it says nothing.
  const others = problems
    .slice(0, maxIssues + 1)
    .filter(({ path }) => !refused.some(({ problem }) => isSameJson(problem.path, path)));
  const all = limitIssues([...issues, ...others.map((problem) => toIssue(problem, document))]);
  const hasErrors = all.some((issue) => issue.severity === 'error');
  return {
    ...(workflow === undefined || hasErrors ? {} : { workflow }),
    ...idIn(document.data),
    issues: all,
  };
}

/**
 * The same issues as `parseWorkflow` finds, as many as it reports, each with the problem that it was made of. In a file
 * with values that it must not have, only theirs.
 */
export function workflowProblems(
  text: string,
): readonly { readonly issue: Issue; readonly problem: FileProblem }[] {
  const { document, issues, refused = [] } = readFile(text);
  if (document === undefined) return [];
  if (issues.length > 0) return refused;
  const { problems } = fromJson(document);
  return problems.slice(0, maxIssues).map((problem) => ({ problem, issue: toIssue(problem, document) }));
}

type Result = { readonly workflow?: Workflow; readonly problems: readonly FileProblem[] };

function fromJson(document: FileDocument): Result {
  const { data } = document;
  if (!isJsonObject(data)) return refused('Expected a workflow: names with values', []);
  const version = data['rowbench'];
  if (typeof version === 'number' && version > formatVersion) {
    // What a later format means is not for this program to judge.
    return refused(`The file has format version ${version}: a newer Rowbench is needed`, ['rowbench']);
  }
  const keys = checkPart(workflowKeys, data, []);
  const written = writtenVariables(data);
  const nodes = parseNodes(data['nodes'], { document, vars: written, nodes: fileNodes });
  const problems = [...(keys.ok ? [] : keys.problems), ...nodes.problems];
  if (!keys.ok || problems.length > 0) return { problems };
  const { id, name, description, concurrency, onRowError, tokenBudget, onBudget } = keys.value;
  const workflow = {
    id,
    name: name ?? id,
    ...(description === undefined ? {} : { description }),
    vars: variablesIn(document, written),
    nodes: nodes.placed.map(({ node }) => node),
    concurrency,
    onRowError,
    ...(tokenBudget === undefined ? {} : { tokenBudget }),
    ...(onBudget === undefined ? {} : { onBudget }),
  };
  return { workflow, problems: doubtfulNodes(nodes.placed, data) };
}

const refused = (message: string, path: FileProblem['path']): Result => ({ problems: [{ message, path }] });

/** Nodes of texts that are remembered, by the data that they were parsed from. */
const parsedNodes = new WeakMap<JsonObject, WorkflowNode>();

/** The node that `parseWorkflow` has parsed from this data; undefined for one with problems, and before it has. */
export const parsedNodeOf = (json: JsonObject): WorkflowNode | undefined => parsedNodes.get(json);

type ParsedNodes = { readonly placed: readonly PlacedNode[]; readonly problems: readonly FileProblem[] };

function variablesIn(document: FileDocument, written: JsonObject = {}): readonly Variable[] {
  return Object.entries(written).map(([name, value]) => {
    const { line } = document.positionOf({ path: ['vars', name], atKey: true });
    return { name, value, line };
  });
}

type AroundNodes = {
  readonly document: FileDocument;
  /** Names that exist are not reported as missing, whatever their values; absent: no name is reported. */
  readonly vars: JsonObject | undefined;
  /** Path of the list. */
  readonly nodes: NodesPath;
  /** Ids of the nodes around a body. */
  readonly outerIds?: ReadonlySet<string>;
};

function parseNodes(
  list: JsonValue | undefined,
  { document, vars, nodes, outerIds }: AroundNodes,
): ParsedNodes {
  // A missing, empty or overlong list is a problem of the keys.
  if (!Array.isArray(list) || list.length === 0 || list.length > maxNodes)
    return { placed: [], problems: [] };
  const sources: NodeSource[] = (list as readonly JsonValue[]).map((json, index) => {
    const path = [...nodes, index];
    return { json, path, line: document.positionOf({ path }).line };
  });
  const nodeIds = new Set(sources.flatMap((source) => idOf(source) ?? []));
  const parse = nodeParser({ nodeIds, outerIds, vars: vars && new Map(Object.entries(vars)) });
  const placed: PlacedNode[] = [];
  const problems = checkNodeList(sources, nodes);
  for (const source of sources) {
    const parsed = parse(source);
    const body = parseNodes(bodyIn(source), {
      document,
      vars,
      nodes: [...source.path, 'nodes'],
      outerIds: nodeIds,
    });
    problems.push(...body.problems);
    if (parsed.ok) {
      const nodes = body.placed.map(({ node }) => node);
      const node = nodes.length === 0 ? parsed.value : { ...parsed.value, body: nodes };
      placed.push({ node, path: source.path, body: body.placed });
      if (isJsonObject(source.json)) parsedNodes.set(source.json, node);
    } else for (const problem of parsed.problems) problems.push(problem);
    if (problems.length > maxIssues) break;
  }
  return { placed, problems: [...problems, ...checkNodes(placed)] };
}

function toIssue(problem: FileProblem, document: FileDocument): Issue {
  const path = nodePathOf(problem.path);
  const node = path && nodeIdAt(document.data, path);
  return { ...document.issueOf(problem), ...(node === undefined ? {} : { nodeId: node }) };
}

/** The id of a node; of one in a body as `innerId` has it, and without an own id that of the node with the body. */
function nodeIdAt(data: JsonValue, path: NodePath): string | undefined {
  const owner = ownerOf(nodesAt(path));
  const outer = owner && nodeIdAt(data, owner);
  if (owner !== undefined && outer === undefined) return undefined;
  const id = valueAt(data, [...path, 'id']);
  if (typeof id !== 'string' || id.length > maxIdLength) return outer;
  return outer === undefined ? id : innerId(outer, id);
}

/** Longer ids are mistakes, and an issue repeats them. */
const maxIdLength = 200;

function idIn(data: JsonValue): { readonly id?: string } {
  const id = isJsonObject(data) ? data['id'] : undefined;
  return typeof id === 'string' && workflowKeys.shape.id.safeParse(id).success ? { id } : {};
}

// The rules that hold of the list as it stands in the file, even where single nodes do not parse.

/** Unique ids, exactly one input node, at least one output node, no waiting for nodes that do not exist. */
const checkNodeList = (sources: readonly NodeSource[], nodes: NodesPath): FileProblem[] => [
  ...idsTwice(sources),
  ...(isBody(nodes) ? notInBodies(sources) : furtherInputs(sources)),
  ...missingTargets(sources),
  ...(isBody(nodes) ? ['output'] : ['input', 'output']).flatMap((type) =>
    sources.some((source) => typeOf(source) === type)
      ? []
      : [
          {
            message: `The ${isBody(nodes) ? 'body' : 'workflow'} has no node of type ${type}`,
            path: nodes,
            atKey: true,
          },
        ],
  ),
];

const isBody = (nodes: NodesPath): boolean => ownerOf(nodes) !== undefined;

/** The list of nodes in a node; undefined for a node that has none. */
const bodyIn = ({ json, path }: NodeSource): JsonValue | undefined =>
  isJsonObject(json) && json['type'] === 'workflow' && !isBody(nodesAt(path)) ? json['nodes'] : undefined;

const notInBodies = (sources: readonly NodeSource[]): FileProblem[] =>
  sources.flatMap((source) => {
    if (typeOf(source) === 'input')
      return [
        {
          message: 'A body has no input node: its row is what "row" gives',
          path: [...source.path, 'type'],
        },
      ];
    const hasBody = typeOf(source) === 'workflow' && isJsonObject(source.json) && 'nodes' in source.json;
    if (!hasBody) return [];
    const message = 'A body has no bodies of its own: call a workflow of its own here';
    return [{ message, path: [...source.path, 'nodes'], atKey: true }];
  });

const idOf = ({ json }: NodeSource): string | undefined => textAt(json, 'id');

const typeOf = ({ json }: NodeSource): string | undefined => textAt(json, 'type');

function textAt(json: JsonValue, key: string): string | undefined {
  const value = isJsonObject(json) ? json[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function idsTwice(sources: readonly NodeSource[]): FileProblem[] {
  const lines = new Map<string, number>();
  return sources.flatMap((source) => {
    const id = idOf(source);
    if (id === undefined) return [];
    const line = lines.get(id);
    lines.set(id, line ?? source.line);
    if (line === undefined) return [];
    const message = `The id ${JSON.stringify(id)} is already taken by the node in line ${line}`;
    return [{ message, path: [...source.path, 'id'] }];
  });
}

function furtherInputs(sources: readonly NodeSource[]): FileProblem[] {
  const [first, ...further] = sources.filter((source) => typeOf(source) === 'input');
  return further.map((source) => ({
    message: `A workflow has one input node, and there is one in line ${first?.line} already`,
    path: [...source.path, 'type'],
  }));
}

function missingTargets(sources: readonly NodeSource[]): FileProblem[] {
  const ids = new Set(sources.flatMap((source) => idOf(source) ?? []));
  const problems: FileProblem[] = [];
  for (const { json, path } of sources) {
    const after = isJsonObject(json) ? json['after'] : undefined;
    const targets = Array.isArray(after) ? (after as readonly JsonValue[]) : [after];
    for (const [position, target] of targets.entries()) {
      if (typeof target !== 'string' || ids.has(target)) continue;
      const message = `There is no node ${JSON.stringify(target)}${didYouMean(target, ids)}`;
      problems.push({ message, path: [...path, 'after', position] });
      // Each is compared with all ids.
      if (problems.length > maxIssues) return problems;
    }
  }
  return problems;
}
