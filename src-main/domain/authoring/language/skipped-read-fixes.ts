import type { JsonValue } from '../../../base/json-value.ts';
import { codeRegions } from '../../expressions/find-references.ts';
import type { FileProblem, PathStep } from '../../workflow/file-problem.ts';
import { nodePathOf, nodesAt, type NodePath } from '../../workflow/node-path.ts';
import { listIn, valueAt } from '../../workflow/value-at.ts';
import type { WorkflowEdit } from '../edit/edit-workflow.ts';

type Problem = FileProblem & { readonly data: JsonValue };
type Fix = { readonly title: string; readonly edits: readonly WorkflowEdit[] };

/** Fixes of a read without `?.` of a node that may be skipped; none for any other problem. */
export function skippedReadFixes({ message, path, offset, data }: Problem): readonly Fix[] {
  const id = /^"(\w+)" may be skipped \(when /.exec(message)?.[1];
  const node = nodePathOf(path);
  if (id === undefined || offset === undefined || node === undefined) return [];
  return [...conditionFix(id, node, data), ...optionalFix(path, offset, data)];
}

/** Lets the reading node run under the condition of the node that it reads. */
function conditionFix(id: string, node: NodePath, data: JsonValue): readonly Fix[] {
  const condition = valueAt(
    listIn(data, nodesAt(node)).find((each) => valueAt(each, ['id']) === id),
    ['when'],
  );
  const own = valueAt(data, [...node, 'when']);
  if (typeof condition !== 'string') return [];
  const title = 'Add the same condition';
  if (typeof own === 'string') {
    const value = `${operandOf(condition)} && ${operandOf(own)}`;
    return [{ title, edits: [{ kind: 'setValue', path: [...node, 'when'], value }] }];
  }
  const keys = Object.keys(valueAt(data, node) ?? {});
  const before = keys.find((key) => key !== 'id' && key !== 'type');
  const key = { kind: 'insertKey', path: node, key: 'when', value: condition } as const;
  return [{ title, edits: [before === undefined ? key : { ...key, before }] }];
}

/** The expression as a part of one with `&&`. */
function operandOf(text: string): string {
  const [{ code, tree } = { code: text, tree: undefined }] = codeRegions('expression', text);
  const isLoose = tree?.type === 'LogicalExpression' && tree.operator !== '&&';
  return isLoose || /^(?:Conditional|Sequence|Assignment|ArrowFunction)Expression$/.test(tree?.type ?? '')
    ? `(${code.trim()})`
    : code.trim();
}

function optionalFix(path: readonly PathStep[], offset: number, data: JsonValue): readonly Fix[] {
  const text = valueAt(data, path);
  const [read, member = ''] =
    /^nodes(?:\.\w+|\['\w+'\]|\["\w+"\])(\.\w+|\[)/.exec(
      typeof text === 'string' ? text.slice(offset) : '',
    ) ?? [];
  if (read === undefined) return [];
  const from = offset + read.length - member.length;
  const insert = member === '[' ? '?.' : '?';
  const written = `${read.slice(0, -member.length)}${insert}${member === '[' ? '[…]' : member}`;
  const changes = [{ from, to: from, insert }];
  return [{ title: `Write ${written}`, edits: [{ kind: 'changeTexts', texts: [{ path, changes }] }] }];
}
