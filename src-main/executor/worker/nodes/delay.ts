import { durationForm, longestWaitMs, parseDuration } from '../../../domain/duration.ts';
import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

export const runDelay: MakeRunner<'delay'> = (config, { compiler, wait }) => {
  const duration = compiler.value(config.for);
  return (scope) => wait(waitMs(duration(scope), 'for'), scope).then(() => null);
};

/** A value of the author as milliseconds. Throws NodeError for one that is no time to wait. @param key for messages */
export function waitMs(value: unknown, key: string): number {
  const ms = typeof value === 'string' ? parseDuration(value) : value;
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= longestWaitMs))
    throw new NodeError(
      `"${key}" must be milliseconds (at most one day) or ${durationForm}; got ${JSON.stringify(value)}`,
    );
  return ms;
}
