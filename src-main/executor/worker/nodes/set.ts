import type { MakeRunner } from './node-runner.ts';
import { assertObject } from './named-values.ts';

export const runSet: MakeRunner<'set'> = ({ values }, { compiler }) => {
  const evaluate = compiler.value(values);
  return values.kind === 'object' ? evaluate : (scope) => assertObject(evaluate(scope), 'values');
};
