import { plainCopy } from '../plain-value.ts';
import type { MakeRunner } from './node-runner.ts';

export const runCode: MakeRunner<'code'> = ({ code }, { compiler, settle }) => {
  const body = compiler.raw(code);
  return (scope) => {
    const returned = body(scope);
    return returned instanceof Promise ? settle(returned) : plainCopy(returned);
  };
};
