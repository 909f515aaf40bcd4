// The figures of a team for a monitoring system. Who calls: open-team.ts.
import type { Metrics } from '../../base/metrics.ts';
import type { TeamSql } from '../sql.ts';

/** Counts what this process does with segments. */
export type SegmentCounters = {
  /** Counts stored results. */
  readonly committed: (rows: number) => void;
  /** Counts results that were refused, since another worker had taken over the segment. */
  readonly refused: () => void;
  /** Counts segments that go on after their worker was lost. */
  readonly takenOver: () => void;
};

const nothing = (): void => undefined;

/** Registers the figures; without a monitoring system nothing is counted. */
export function registerTeam(metrics: Metrics | undefined, database: TeamSql): SegmentCounters {
  if (metrics === undefined) return { committed: nothing, refused: nothing, takenOver: nothing };
  metrics.gauge(
    {
      name: 'rowbench_segments',
      help: 'Segments of all runs that have not ended, by state',
      labels: ['state'],
    },
    () => segmentsByState(database),
  );
  metrics.gauge(
    { name: 'rowbench_oldest_segment_seconds', help: 'Time that the oldest segment in the queue has waited' },
    () => oldestSegment(database),
  );
  const commits = metrics.counter({
    name: 'rowbench_commits_total',
    help: 'Commits of results by this process',
  });
  const rows = metrics.counter({
    name: 'rowbench_committed_rows_total',
    help: 'Rows whose results this process committed',
  });
  const refused = metrics.counter({
    name: 'rowbench_refused_commits_total',
    help: 'Commits of this process that came too late: another worker had the segment',
  });
  const takenOver = metrics.counter({
    name: 'rowbench_takeovers_total',
    help: 'Segments that this process began again because their worker was lost',
  });
  return {
    committed: (count) => {
      commits();
      rows({}, count);
    },
    refused: () => refused(),
    takenOver: () => takenOver(),
  };
}

/** Registers the figures of a process that executes segments. */
export function registerSlots(metrics: Metrics | undefined, slots: number, running: () => number): void {
  metrics?.gauge(
    { name: 'rowbench_slots', help: 'Segments that this process may run at the same time' },
    () => slots,
  );
  metrics?.gauge({ name: 'rowbench_slots_busy', help: 'Segments that this process runs now' }, running);
}

async function segmentsByState(database: TeamSql) {
  const found = await database.query<{ state: string; count: number }>(
    `select state, count(s.state) as count
     from unnest(array['waiting', 'queued', 'running']) as state
     left join rowbench.segments s using (state) group by state`,
  );
  return found.map(({ state, count }) => ({ labels: { state }, value: count }));
}

async function oldestSegment(database: TeamSql): Promise<number> {
  const [found] = await database.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min(changed_at)), 0)::float as seconds
     from rowbench.segments where state = 'queued'`,
  );
  return found?.seconds ?? 0;
}
