// Finished runs are kept up to a number and an age, whichever is reached first; unfinished ones always.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { snapshotsOf } from '../domain/run/run.ts';
import type { Settings } from '../domain/settings.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import type { RunCatalog, RunRecord } from './run-catalog.ts';

type Tidying = {
  readonly folder: DataFolder;
  readonly catalog: RunCatalog;
  readonly clock: Clock;
  readonly log: Log;
  readonly bounds: Settings['retention'];
  /** Workflow texts that runs still being accepted will need; asked last, since more may have begun meanwhile. */
  readonly keepHashes: () => Iterable<string>;
  /** Whether the catalog has every stored run; until then no text is known to be needed by none. */
  readonly isComplete: () => boolean;
  readonly onRemoved: (runId: string) => void;
};

const dayMs = 24 * 60 * 60 * 1000;

/** Removes what is past the bounds, then the workflow texts that no run refers to any more. */
export async function removeOldRuns(tidying: Tidying): Promise<void> {
  const { folder, catalog, clock, bounds } = tidying;
  const old = pastBounds(catalog.finished(), bounds, clock.now());
  if (old.length === 0) return;
  // Out of the catalog first: who asks while they are being removed is told that there is no such run.
  for (const { run } of old) catalog.removeFinished(run.runId);
  const failures = await folder.runs.removeAll(old.map(({ run }) => run.runId));
  for (const { run, counts } of old) {
    const error = failures.get(run.runId);
    if (error === undefined) tidying.onRemoved(run.runId);
    else {
      // Perhaps somebody reads it; the others go all the same, and this one the next time.
      catalog.addFinished(run, counts);
      tidying.log.warn({ runId: run.runId, error }, 'an old run could not be removed');
    }
  }
  if (!tidying.isComplete()) return;
  const kept = [...catalog.lives(), ...catalog.finished()].flatMap(({ run }) => snapshotsOf(run));
  await folder.snapshots.keepOnly(new Set([...kept, ...tidying.keepHashes()]));
}

/** The finished runs beyond the newest `runs`, and those that finished more than `days` ago. */
export function pastBounds(
  finished: readonly RunRecord[],
  bounds: Settings['retention'],
  now: number,
): readonly RunRecord[] {
  const oldest = new Date(now - bounds.days * dayMs).toISOString();
  const finishTime = ({ run }: RunRecord): string => run.finishedAt ?? '';
  const newestFirst = (records: readonly RunRecord[]): RunRecord[] =>
    records.toSorted((a, b) => (finishTime(a) < finishTime(b) ? 1 : -1));
  const isOld = (record: RunRecord): boolean => finishTime(record) < oldest;
  // Asked after each run: while few enough are kept, not all of them are put in order for it.
  if (finished.length <= bounds.runs) return newestFirst(finished.filter(isOld));
  return newestFirst(finished).filter((record, index) => index >= bounds.runs || isOld(record));
}
