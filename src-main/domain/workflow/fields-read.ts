// The fields of the row that nodes read, directly or through other nodes: a failed row is fixed in one of these.
import { readRowFields } from '../expressions/read-row-fields.ts';
import { failingExpressionsOf } from './node-reads.ts';
import type { WorkflowNode } from './workflow.ts';

/** Fields of the row by the id of the node that reads them. Nodes of which this is unclear are absent. */
export function fieldsReadBy(nodes: readonly WorkflowNode[]): Readonly<Record<string, readonly string[]>> {
  const read = new Map<string, readonly string[] | undefined>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const fieldsOf = (id: string): readonly string[] | undefined => {
    const node = byId.get(id);
    if (node === undefined || read.has(id)) return read.get(id);
    // A node that reads itself is no valid workflow; it ends here.
    read.set(id, undefined);
    const expressions = failingExpressionsOf(node);
    const sources = new Set(expressions.flatMap(({ nodeRefs }) => nodeRefs));
    const fields = [
      ...expressions.map(({ kind, source }) => readRowFields(kind, source)),
      ...[...sources].map(fieldsOf),
    ];
    const names = fields.every((each) => each !== undefined) ? [...new Set(fields.flat())] : undefined;
    read.set(id, names);
    return names;
  };
  return Object.fromEntries(
    nodes.flatMap(({ id }) => {
      const fields = fieldsOf(id);
      return fields === undefined ? [] : [[id, fields]];
    }),
  );
}
