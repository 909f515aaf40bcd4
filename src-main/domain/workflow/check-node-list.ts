// The rules that hold of the list as it stands in the file, even where single nodes do not parse.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { didYouMean } from '../closest-name.ts';
import type { FileProblem } from './file-problem.ts';
import { maxIssues } from './issue.ts';
import type { NodeSource } from './parse-node.ts';

/** Unique ids, exactly one input node, at least one output node, no waiting for nodes that do not exist. */
export const checkNodeList = (sources: readonly NodeSource[]): FileProblem[] => [
  ...idsTwice(sources),
  ...furtherInputs(sources),
  ...missingTargets(sources),
  ...['input', 'output'].flatMap((type) =>
    sources.some((source) => typeOf(source) === type)
      ? []
      : [{ message: `The workflow has no node of type ${type}`, path: ['nodes'], atKey: true }],
  ),
];

export const idOf = ({ json }: NodeSource): string | undefined => textAt(json, 'id');

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
    return [{ message, path: ['nodes', source.index, 'id'] }];
  });
}

function furtherInputs(sources: readonly NodeSource[]): FileProblem[] {
  const [first, ...further] = sources.filter((source) => typeOf(source) === 'input');
  return further.map((source) => ({
    message: `A workflow has one input node, and there is one in line ${first?.line} already`,
    path: ['nodes', source.index, 'type'],
  }));
}

function missingTargets(sources: readonly NodeSource[]): FileProblem[] {
  const ids = new Set(sources.flatMap((source) => idOf(source) ?? []));
  const problems: FileProblem[] = [];
  for (const { json, index } of sources) {
    const after = isJsonObject(json) ? json['after'] : undefined;
    const targets = Array.isArray(after) ? (after as readonly JsonValue[]) : [after];
    for (const [position, target] of targets.entries()) {
      if (typeof target !== 'string' || ids.has(target)) continue;
      const message = `There is no node ${JSON.stringify(target)}${didYouMean(target, ids)}`;
      problems.push({ message, path: ['nodes', index, 'after', position] });
      // Each is compared with all ids.
      if (problems.length > maxIssues) return problems;
    }
  }
  return problems;
}
