import { headsOf } from '../row-output.ts';
import type { MakeRunner } from './node-runner.ts';

/** Returns the members of its object as JSON text, since outputs are stored as text. */
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
