// The next step of a chain of runs, and what else can be done with its rows. One table for the button, its menu, the
// palette and the keys. Each number is that of the rows that the step acts on.
import { canMove, count, counted, duration, isFinal, type RunStatus } from '#contract';
import { connectionText } from '../entry/run-connection.ts';
import { maxSheetRows } from '../entry/rows-text.ts';
import type { Fault } from './causes.ts';

/**
 * `rerun-attempt`: the rows without an output of an attempt that was cancelled. `rest`: the rows that the sample left out. `fix`: edit the open rows, then run them. `rerun-open`: run the open rows as
 * they are. `again`: the sample again. `all`: all rows, as a chain of their own; `edit-all`: after editing them; `here`:
 * on this machine, where the run was at a hosted service.
 */
export type StepId =
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'rest'
  | 'fix'
  | 'rerun-open'
  | 'rerun-attempt'
  | 'from'
  | 'again'
  | 'all'
  | 'here'
  | 'edit-all'
  | 'replay'
  | 'scenario';

type ChainStep = {
  readonly id: StepId;
  readonly title: string;
  /** Effect of the step, or the reason why it is unavailable. */
  readonly note?: string;
  readonly isDisabled?: true;
  /** The step and those after it start a chain of their own. */
  readonly startsGroup?: true;
};

/**
 * Rows of a chain; `open` ones have no output: they failed or did not run. A hosted service may have an output of
 * `unknown` ones; absent: none.
 */
export type CountedRows = {
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
  readonly open: number;
  readonly unknown?: number | undefined;
};

/** The hosted service at which a chain runs. */
export type HostedSituation = {
  readonly connection: string;
  /** The rows of the attempt that has not ended were sent. */
  readonly isSent: boolean;
  /** Why no other attempt takes the rows; undefined: all have ended. */
  readonly refusal: string | undefined;
};

export type ChainSituation = CountedRows & {
  /** Status of the attempt that has not ended; else of the shown one. */
  readonly status: RunStatus;
  readonly attempts: number;
  /** Rows that the sample left out and that have not been run since. */
  readonly restRows: number;
  /** Open rows that no attempt has taken. */
  readonly untakenRows: number;
  /** The newest attempt, if it ended before its last row; `open`: its rows without an output. */
  readonly cancelled?: { readonly attempt: number; readonly open: number } | undefined;
  /** How long the rest may take, in ms. */
  readonly restMs?: number | undefined;
  /** Rows of the sample that the chain began with; absent: it began with all rows. */
  readonly sampleRows?: number | undefined;
  /** Where the most frequent failure is fixed. */
  readonly fault?: Fault | undefined;
  /** Answers of calls were recorded, so that they can be replayed. */
  readonly hasRecording: boolean;
  /** Absent: the chain executes here. */
  readonly hosted?: HostedSituation | undefined;
};

export type NextSteps = {
  readonly primary: ChainStep;
  /** Nothing has to be done: the primary step is no advice. */
  readonly isQuiet: boolean;
  /** A button next to the primary one. */
  readonly secondary?: ChainStep;
  /** The menu of the primary button. */
  readonly others: readonly ChainStep[];
};

export function nextSteps(chain: ChainSituation): NextSteps {
  const { hosted } = chain;
  const others = refused(stepsOfNewChain(chain), hosted?.refusal);
  if (!isFinal(chain.status)) {
    const cancel: ChainStep = { id: 'cancel', title: 'Cancel' };
    if (hosted?.isSent === true) {
      const note = `Rowbench stops watching; the run goes on at ${hosted.connection}`;
      return { primary: { ...cancel, note }, isQuiet: true, others };
    }
    if (canMove(chain.status, 'pause'))
      return { primary: { id: 'pause', title: 'Pause' }, isQuiet: false, secondary: cancel, others };
    return { primary: { id: 'resume', title: 'Resume' }, isQuiet: false, secondary: cancel, others };
  }
  const [primary, ...rest] = [...stepsOfOpenRows(chain), ...others];
  const isQuiet = chain.open === 0 && chain.restRows === 0;
  return { primary: primary ?? all(chain), isQuiet, others: rest };
}

/** True if open rows can be edited and run. */
export const canFix = ({ primary, others }: NextSteps): boolean =>
  [primary, ...others].some(({ id, isDisabled }) => id === 'fix' && isDisabled !== true);

const refused = (steps: readonly ChainStep[], note: string | undefined): readonly ChainStep[] =>
  note === undefined ? steps : steps.map((step) => ({ ...step, note, isDisabled: true }));

/** ` on prod`, where new attempts run; empty for a chain of this machine. */
const targetText = ({ hosted }: ChainSituation): string => connectionText(hosted?.connection);

/** The best one first. */
function stepsOfOpenRows(chain: ChainSituation): readonly ChainStep[] {
  const { open, restRows, untakenRows, restMs, sampleRows, cancelled } = chain;
  const taken = open - untakenRows;
  const rest: ChainStep = {
    id: 'rest',
    title: `Run the other ${counted(restRows, 'row')}${targetText(chain)}`,
    ...(restMs === undefined ? {} : { note: `About ${duration(restMs)}` }),
  };
  const again: ChainStep = {
    id: 'again',
    title: `Run the sample again${targetText(chain)}`,
    note: sampleRows === undefined ? '' : counted(sampleRows, 'row'),
  };
  return [
    ...(restRows > 0 ? [rest] : []),
    ...(taken > 0 ? stepsOfTakenRows(chain, taken) : []),
    ...(cancelled === undefined ? [] : [stepOfCancelled(cancelled, targetText(chain))]),
    ...(restRows > 0 && sampleRows !== undefined ? [again] : []),
  ];
}

function stepsOfTakenRows(chain: ChainSituation, taken: number): readonly ChainStep[] {
  const { failed, fault } = chain;
  const isTooMany = taken > maxSheetRows;
  const fix: ChainStep = {
    id: 'fix',
    title: `Fix ${counted(taken, 'row')}…`,
    ...(isTooMany ? { note: `At most ${counted(maxSheetRows, 'row')}`, isDisabled: true } : {}),
  };
  const rerun: ChainStep = {
    id: 'rerun-open',
    title: `Rerun ${counted(taken, 'open row')}${targetText(chain)}`,
  };
  // Rows that did not run, or whose service failed, have nothing to be fixed in them.
  return failed === 0 || fault === 'service' || isTooMany ? [rerun, fix] : [fix, rerun];
}

const stepOfCancelled = (
  { attempt, open }: NonNullable<ChainSituation['cancelled']>,
  target: string,
): ChainStep => ({
  id: 'rerun-attempt',
  title: `Rerun ${counted(open, 'open row')} of attempt ${attempt}${target}`,
});

const allRows = (rows: number): string => (rows === 1 ? 'the row' : `all ${count(rows)} rows`);

const all = (chain: ChainSituation): ChainStep => ({
  id: 'all',
  title: `Run ${allRows(chain.rows)} again${targetText(chain)}`,
});

function stepsOfNewChain(chain: ChainSituation): readonly ChainStep[] {
  const { hasRecording, untakenRows, hosted, rows } = chain;
  // Rows that the sample left out cannot be repeated.
  const own = untakenRows > 0 ? [] : [{ ...all(chain), startsGroup: true } as const];
  const editAll: ChainStep = { id: 'edit-all', title: 'Edit all rows first…' };
  if (hosted !== undefined)
    return [...own, { id: 'here', title: `Run ${allRows(rows)} on this machine` }, editAll];
  return [
    ...own,
    { id: 'from', title: 'Rerun from a node…', note: 'Earlier nodes reuse stored results' },
    editAll,
    ...(hasRecording
      ? [{ id: 'replay', title: 'Replay recorded answers', note: 'Nothing is called' } as const]
      : []),
    { id: 'scenario', title: 'Inject failures…', note: 'Tests the workflow with a scenario' },
  ];
}

/** `4,863 of 5,003 done · 140 open · 4 attempts`. While an attempt is at work, nothing says yet which rows are open. */
export function counterText({ rows, done, open, unknown = 0, attempts, status }: ChainSituation): string {
  return [
    `${count(done)} of ${count(rows)} done`,
    ...(isFinal(status) && open > 0 ? [`${count(open)} open`] : []),
    ...(unknown > 0 ? [`${count(unknown)} unknown`] : []),
    ...(attempts > 1 ? [counted(attempts, 'attempt')] : []),
  ].join(' · ');
}
