import { headsOf } from '../row-output.ts';
import type { MakeRunner } from './node-runner.ts';

/** The members of its object as JSON text: the one runner whose value is text, since it is stored as it is. */
export const runOutput: MakeRunner<'output'> = ({ fields }, { compiler }) => {
  const heads = headsOf(fields.map(([name]) => name));
  const writers = fields.map(([, value], field) => ({
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
