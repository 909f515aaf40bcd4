import { durationForm, longestWaitMs, parseDuration } from '../../../domain/duration.ts';
import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

export const runDelay: MakeRunner<'delay'> = (config, { compiler, wait }) => {
  const duration = compiler.value(config.for);
  return (scope) => wait(milliseconds(duration(scope)), scope).then(() => null);
};

function milliseconds(duration: unknown): number {
  const ms = typeof duration === 'string' ? parseDuration(duration) : duration;
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= longestWaitMs))
    throw new NodeError(
      `"for" must be milliseconds (at most one day) or ${durationForm}; got ${JSON.stringify(duration)}`,
    );
  return ms;
}
