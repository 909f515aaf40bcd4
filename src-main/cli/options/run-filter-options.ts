// The options that say which runs are meant, alike wherever runs are listed or moved.
import { Option, type Command } from 'commander';
import type { RunFilter } from '../../domain/run/run-filter.ts';
import { runStatuses, type RunStatus } from '../../domain/run/run-status.ts';
import { UsageError } from '../exit-code.ts';

export type FilterOptions = {
  readonly status?: RunStatus;
  readonly workflow?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
  readonly rerunOf?: string;
  readonly pinned?: boolean;
  readonly tag?: string;
};

export const addFilterOptions = (command: Command): Command =>
  command
    .addOption(new Option('--status <status>', 'only runs with this status').choices(runStatuses))
    .option('--workflow <id>', 'only runs of this workflow')
    .option('--since <time>', 'only runs accepted since then: 30m, 2h, 7d ago, a day or a time')
    .option('--until <time>', 'only runs accepted before then')
    .option('--text <text>', 'only runs with this text in id, workflow, error, key name, name, note or tags')
    .option('--rerun-of <run>', 'only reruns of this run (its whole id)')
    .option('--pinned', 'only pinned runs')
    .option('--tag <tag>', 'only runs with this tag');

/** Throws a UsageError for a time that says nothing. */
export function filterOf(options: FilterOptions, now: number): RunFilter {
  const { status, workflow, since, until, text, rerunOf, pinned, tag } = options;
  return {
    ...(status === undefined ? {} : { status }),
    ...(workflow === undefined ? {} : { workflowId: workflow }),
    ...(since === undefined ? {} : { since: timeOf(since, now) }),
    ...(until === undefined ? {} : { until: timeOf(until, now) }),
    ...(text === undefined ? {} : { text }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
    ...(pinned === undefined ? {} : { isPinned: pinned }),
    ...(tag === undefined ? {} : { tag }),
  };
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** ISO time of `30m` (ago), `2026-11-21` or `2026-11-21T08:00` (of this machine), or a whole ISO time. */
export function timeOf(text: string, now: number): string {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const time =
    amount !== undefined && unit !== undefined
      ? now - Number(amount) * unitMs[unit as keyof typeof unitMs]
      : // A day alone would be read as one of Greenwich.
        Date.parse(isDay ? `${text}T00:00` : text);
  if (!Number.isFinite(time) || !/^\d/.test(text))
    throw new UsageError(`"${text}" is no time: write 30m, 2h or 7d (ago), 2026-11-21 or 2026-11-21T08:00`);
  return new Date(time).toISOString();
}
