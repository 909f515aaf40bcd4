import { invariant } from '../../../base/invariant.ts';
import { assertObject } from './named-values.ts';
import type { MakeRunner } from './node-runner.ts';

export const runWorkflow: MakeRunner<'workflow'> = (config, { compiler, workflow }) => {
  const row = compiler.value(config.row);
  invariant(config.workflow !== undefined, 'a plan names the workflow or body that a node calls');
  const call = workflow(config.workflow);
  const nextRow = config.repeat?.next && compiler.forRepeat().value(config.repeat.next.row);
  return (scope) => {
    const rowOf = nextRow !== undefined && scope.round > 1 ? nextRow : row;
    return call(assertObject(rowOf(scope), 'row'), scope);
  };
};
