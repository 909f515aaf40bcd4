import { assertObject } from './named-values.ts';
import type { MakeRunner } from './node-runner.ts';

export const runWorkflow: MakeRunner<'workflow'> = (config, { compiler, workflow }) => {
  const row = compiler.value(config.row);
  const call = workflow(config.workflow);
  return (scope) => call(assertObject(row(scope), 'row'), scope);
};
