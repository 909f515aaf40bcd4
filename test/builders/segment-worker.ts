// A worker of a team as a spec drives it: it begins segments when it is told to.
import { expect } from 'vitest';
import { openTeamBackend } from '../../src-main/app/team/open-team-backend.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { SegmentAttempts, type BegunSegment } from '../../src-main/team/segments/segment-attempts.ts';
import type { SegmentQueue } from '../../src-main/team/segments/segment-queue.ts';
import type { TeamPool } from '../../src-main/team/team-pool.ts';
import { openTestServices } from './open-test-services.ts';

const workflow = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

/** A server with the workflow `quick`, which leaves the segments of its runs to the workers of the spec. */
export const openSlotlessServer = (url: string) =>
  openTestServices(
    { quick: workflow },
    {
      openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name: 'one', slots: 0 }),
    },
  );

/** @param queue where it gets segments from */
export function segmentWorker(name: string, database: TeamPool, queue: SegmentQueue) {
  const counted = { committed: 0, refused: 0, takenOver: 0 };
  const attempts = new SegmentAttempts({
    database,
    queue,
    clock: systemClock,
    worker: name,
    counters: {
      committed: (count) => (counted.committed += count),
      refused: () => (counted.refused += 1),
      takenOver: () => (counted.takenOver += 1),
    },
  });
  /** Waits for a segment. */
  const begin = async (): Promise<BegunSegment> => {
    let begun: BegunSegment | undefined;
    await expect
      .poll(async () => {
        const attempt = await queue.fetch();
        begun = attempt && (await attempts.begin(attempt));
        return begun;
      })
      .toBeDefined();
    return begun!;
  };
  return { counted, attempts, begin };
}
