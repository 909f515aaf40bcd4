import { namesInOrder } from '../../../domain/rows/name-order.ts';
import { headsOf, membersOf } from '../row-output.ts';
import { assertObject } from './named-values.ts';
import type { MakeRunner } from './node-runner.ts';

/** Returns the members of its object as JSON text, since outputs are stored as text. */
export const runOutput: MakeRunner<'output'> = ({ fields }, { compiler }) => {
  if (fields.kind !== 'object') {
    const evaluate = compiler.value(fields);
    return (scope) =>
      membersOf('any', assertObject(evaluate(scope), 'fields'), namesInOrder(scope.input as object));
  }
  const heads = headsOf(fields.entries.map(([name]) => name));
  const writers = fields.entries.map(([, value], field) => ({
    head: heads[field] ?? '',
    write: compiler.json(value),
  }));
  return (scope) => {
    let members = '';
    for (let field = 0; field < writers.length; field += 1) {
      const writer = writers[field];
      if (writer !== undefined) members = writer.write(scope, members + writer.head);
    }
    return members;
  };
};
