import { plainCopy } from '../plain-value.ts';
import type { MakeRunner } from './node-runner.ts';

export const runCode: MakeRunner<'code'> = ({ code }, { compiler, settle }) => {
  const body = compiler.raw(code);
  return (scope) => {
    const given = body(scope);
    return given instanceof Promise ? settle(given) : plainCopy(given);
  };
};
