import { headsOf } from '../row-output.ts';
import type { MakeRunner } from './node-runner.ts';

/** The members of its object as JSON text: the one runner whose value is text, since it goes to the output file. */
export const runOutput: MakeRunner<'output'> = ({ fields }, { compiler }) => {
  const names = fields.map(([name]) => name);
  const heads = headsOf(names);
  const writers = fields.map(([, value]) => compiler.json(value));
  return (scope) => {
    let members = '';
    for (let field = 0; field < writers.length; field += 1) {
      members += heads[field] ?? '';
      members = writers[field]?.(scope, members) ?? members;
    }
    return members;
  };
};
