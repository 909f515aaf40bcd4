// Opens the database of a team for a server or a worker. Who calls: app, by a dynamic import.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { assertMigrated } from './migrate-database.ts';
import { SegmentAttempts } from './segment-attempts.ts';
import { SegmentQueue } from './segment-queue.ts';
import { SegmentWorker } from './segment-worker.ts';
import type { SegmentRunDeps } from './segment-run.ts';
import { TeamMoves } from './team-moves.ts';
import { TeamPool } from './team-pool.ts';

export type TeamConnection = {
  /** Connection string of PostgreSQL. */
  readonly url: string;
  /** Name of this server or worker, for people. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
};

export type Team = Awaited<ReturnType<typeof openTeam>>;

/** Connections of one process: each slot has a transaction at times, as has each request. */
const maxConnections = 10;

/** Throws `invalid_input` for a database that has other tables than this version needs. */
export async function openTeam({ url, name, clock, log }: TeamConnection) {
  const database = new TeamPool({ url, name: `rowbench ${name}`, maxConnections, log });
  try {
    await assertMigrated(database);
    const queue = await SegmentQueue.open(database, { log });
    const moves = new TeamMoves({ database, queue, clock });
    const attempts = new SegmentAttempts({ database, queue, clock, worker: name });
    return {
      database,
      queue,
      moves,
      openWorker: (deps: Omit<SegmentRunDeps, 'attempts' | 'moves'> & { readonly slots: number }) =>
        new SegmentWorker({ ...deps, attempts, moves, database, queue }),
      close: async (): Promise<void> => {
        await queue.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
