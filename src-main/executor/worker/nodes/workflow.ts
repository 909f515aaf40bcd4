import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';
import { describeType } from './outside-call.ts';

export const runWorkflow: MakeRunner<'workflow'> = (config, { compiler, workflow }) => {
  const row = compiler.value(config.row);
  const call = workflow(config.workflow);
  return (scope) => {
    const input = row(scope);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw new NodeError(`"row" is ${describeType(input)}, not an object`);
    return call(input, scope);
  };
};
