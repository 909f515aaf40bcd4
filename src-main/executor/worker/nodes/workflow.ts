import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';
import { kindOf } from './outside-call.ts';

export const runWorkflow: MakeRunner<'workflow'> = (config, { compiler, workflow }) => {
  const row = compiler.value(config.row);
  const call = workflow(config.workflow);
  return (scope) => {
    const given = row(scope);
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new NodeError(`"row" is ${kindOf(given)}, not an object`);
    return call(given, scope);
  };
};
