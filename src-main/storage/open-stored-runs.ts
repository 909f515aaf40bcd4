import { join, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { readOnlyParts } from './read-only-parts.ts';
import { RunStore } from './run-store.ts';

/** What can be read of stored runs while another process writes them: what is committed never changes. */
export type StoredRuns = Pick<RunStore, 'listIds' | 'read' | 'readCounts' | 'readOutputs'>;

/** The stored runs of a data folder, without taking its lock: for looking at them alone. */
export function openStoredRuns(
  path: string,
  given: { readonly clock: Clock; readonly log: Log },
): StoredRuns {
  const folder = resolve(path);
  return new RunStore(readOnlyParts(given), {
    incoming: join(folder, 'incoming'),
    runs: join(folder, 'runs'),
  });
}
