import { waitMs } from '../wait-ms.ts';
import type { MakeRunner } from './node-runner.ts';

export const runDelay: MakeRunner<'delay'> = (config, { compiler, wait }) => {
  const duration = compiler.value(config.for);
  return (scope) => wait(waitMs(duration(scope), 'for'), scope).then(() => null);
};
