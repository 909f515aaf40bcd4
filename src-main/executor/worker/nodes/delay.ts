import { durationForm, longestWaitMs, parseDuration } from '../../../domain/duration.ts';
import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

export const runDelay: MakeRunner<'delay'> = (config, { compiler, wait }) => {
  const duration = compiler.value(config.for);
  return (scope) => wait(milliseconds(duration(scope)), scope).then(() => null);
};

function milliseconds(given: unknown): number {
  const ms = typeof given === 'string' ? parseDuration(given) : given;
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= longestWaitMs))
    throw new NodeError(
      `"for" gives ${JSON.stringify(given)}: a number of milliseconds up to a day, or ${durationForm}, is wanted`,
    );
  return ms;
}
