import type { RunLabels } from './run-labels.ts';
import type { RunStatus } from './run-status.ts';
import type { Run } from './run.ts';

/** Names this machine wherever a connection to a hosted service can be named. */
export const thisMachine = 'here';

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
  /** Where it executes: `here`, or the name of a connection to a hosted service. */
  readonly on?: string | undefined;
};

export function fitsFilter(run: Run, filter: RunFilter): boolean {
  const { status, workflowId, since, until, text, rerunOf, runIds } = filter;
  return (
    fits(run.status, status) &&
    fits(run.workflowId, workflowId) &&
    fits(run.rerunOf, rerunOf) &&
    fitsMarks(run, filter) &&
    (since === undefined || Date.parse(run.acceptedAt) >= Date.parse(since)) &&
    (until === undefined || Date.parse(run.acceptedAt) < Date.parse(until)) &&
    (runIds === undefined || runIds.includes(run.runId)) &&
    (text === undefined || hasText(run, text.toLowerCase()))
  );
}

const fitsMarks = ({ labels = {}, hosted }: Run, filter: RunFilter): boolean =>
  fits(hosted?.connection ?? thisMachine, filter.on) &&
  fits(labels.isPinned === true, filter.isPinned) &&
  (filter.tag === undefined || labels.tags?.includes(filter.tag) === true);

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
