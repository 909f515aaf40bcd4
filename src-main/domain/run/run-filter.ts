import type { RunLabels } from './run-labels.ts';
import type { RunStatus } from './run-status.ts';
import type { Run } from './run.ts';

/** Which runs are meant: those that fit all that is given. */
export type RunFilter = {
  readonly status?: RunStatus | undefined;
  readonly workflowId?: string | undefined;
  /** Accepted at or after this time (ISO 8601). */
  readonly since?: string | undefined;
  /** Accepted before this time (ISO 8601). */
  readonly until?: string | undefined;
  /** Found in the run's id, workflow, error, key's name, name, note or tags, in any case of letters. */
  readonly text?: string | undefined;
  /** Reruns of that run. */
  readonly rerunOf?: string | undefined;
  readonly runIds?: readonly string[] | undefined;
  readonly isPinned?: boolean | undefined;
  readonly tag?: string | undefined;
};

export function fitsFilter(run: Run, filter: RunFilter): boolean {
  const { status, workflowId, since, until, text, rerunOf, runIds } = filter;
  return (
    fits(run.status, status) &&
    fits(run.workflowId, workflowId) &&
    fits(run.rerunOf, rerunOf) &&
    fitsLabels(run.labels, filter) &&
    (since === undefined || Date.parse(run.acceptedAt) >= Date.parse(since)) &&
    (until === undefined || Date.parse(run.acceptedAt) < Date.parse(until)) &&
    (runIds === undefined || runIds.includes(run.runId)) &&
    (text === undefined || hasText(run, text.toLowerCase()))
  );
}

const fitsLabels = ({ isPinned, tags = [] }: RunLabels = {}, filter: RunFilter): boolean =>
  fits(isPinned === true, filter.isPinned) && (filter.tag === undefined || tags.includes(filter.tag));

const fits = <T>(value: T, filter: T | undefined): boolean => filter === undefined || value === filter;

function hasText(run: Run, text: string): boolean {
  const texts = [
    run.runId,
    run.workflowId,
    run.status === 'failed' ? run.error : '',
    run.origin.kind === 'key' ? run.origin.keyName : (run.origin.user ?? ''),
    ...labelTexts(run.labels),
  ];
  return texts.some((each) => each.toLowerCase().includes(text));
}

const labelTexts = ({ name = '', note = '', tags = [] }: RunLabels = {}): string[] => [name, note, ...tags];
