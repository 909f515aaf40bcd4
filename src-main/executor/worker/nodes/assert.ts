import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

export const runAssert: MakeRunner<'assert'> = ({ that, message }, { compiler }) => {
  const isTrue = compiler.condition(that);
  const text = compiler.text(message);
  return (scope) => {
    if (!isTrue(scope)) throw new NodeError(text(scope));
    return true;
  };
};
