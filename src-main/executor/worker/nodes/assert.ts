import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

export const runAssert: MakeRunner<'assert'> = ({ that, message }, { compiler }) => {
  const holds = compiler.condition(that);
  const text = compiler.text(message);
  return (scope) => {
    if (!holds(scope)) throw new NodeError(text(scope));
    return true;
  };
};
