// The next step of a chain of runs, and what else can be done with its rows. One table for the button, its menu, the
// palette and the keys. Each number is that of the rows that the step acts on.
import { canMove, count, counted, duration, isFinal, type RunStatus } from '#contract';
import { maxSheetRows } from '../entry/rows-text.ts';
import type { Fault } from './causes.ts';

/**
 * `rerun-attempt`: the rows without an output of an attempt that was cancelled. `rest`: the rows that the sample left out. `fix`: edit the open rows, then run them. `rerun-open`: run the open rows as
 * they are. `again`: the sample again. `all`: all rows, as a chain of their own; `edit-all`: after editing them.
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

/** Rows of a chain; `open` ones have no output: they failed or did not run. */
export type CountedRows = {
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
  readonly open: number;
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
  const others = stepsOfNewChain(chain);
  if (!isFinal(chain.status)) {
    const cancel: ChainStep = { id: 'cancel', title: 'Cancel' };
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

/** The best one first. */
function stepsOfOpenRows(chain: ChainSituation): readonly ChainStep[] {
  const { open, restRows, untakenRows, restMs, sampleRows, cancelled } = chain;
  const taken = open - untakenRows;
  const rest: ChainStep = {
    id: 'rest',
    title: `Run the other ${counted(restRows, 'row')}`,
    ...(restMs === undefined ? {} : { note: `About ${duration(restMs)}` }),
  };
  const again: ChainStep = {
    id: 'again',
    title: 'Run the sample again',
    note: sampleRows === undefined ? '' : counted(sampleRows, 'row'),
  };
  return [
    ...(restRows > 0 ? [rest] : []),
    ...(taken > 0 ? stepsOfTakenRows(chain, taken) : []),
    ...(cancelled === undefined ? [] : [stepOfCancelled(cancelled)]),
    ...(restRows > 0 && sampleRows !== undefined ? [again] : []),
  ];
}

function stepsOfTakenRows({ failed, fault }: ChainSituation, taken: number): readonly ChainStep[] {
  const isTooMany = taken > maxSheetRows;
  const fix: ChainStep = {
    id: 'fix',
    title: `Fix ${counted(taken, 'row')}…`,
    ...(isTooMany ? { note: `At most ${counted(maxSheetRows, 'row')}`, isDisabled: true } : {}),
  };
  const rerun: ChainStep = { id: 'rerun-open', title: `Rerun ${counted(taken, 'open row')}` };
  // Rows that did not run, or whose service failed, have nothing to be fixed in them.
  return failed === 0 || fault === 'service' || isTooMany ? [rerun, fix] : [fix, rerun];
}

const stepOfCancelled = ({ attempt, open }: NonNullable<ChainSituation['cancelled']>): ChainStep => ({
  id: 'rerun-attempt',
  title: `Rerun ${counted(open, 'open row')} of attempt ${attempt}`,
});

const all = ({ rows }: CountedRows): ChainStep => ({
  id: 'all',
  title: `Run all ${counted(rows, 'row')} again`,
});

function stepsOfNewChain(chain: ChainSituation): readonly ChainStep[] {
  const { hasRecording, untakenRows } = chain;
  // Rows that the sample left out cannot be repeated.
  const own = untakenRows > 0 ? [] : [{ ...all(chain), startsGroup: true } as const];
  return [
    ...own,
    { id: 'from', title: 'Rerun from a node…', note: 'Earlier nodes reuse stored results' },
    { id: 'edit-all', title: 'Edit all rows first…' },
    ...(hasRecording
      ? [{ id: 'replay', title: 'Replay recorded answers', note: 'Nothing is called' } as const]
      : []),
    { id: 'scenario', title: 'Inject failures…', note: 'Tests the workflow with a scenario' },
  ];
}

/** `4,863 of 5,003 done · 140 open · 4 attempts`. While an attempt is at work, nothing says yet which rows are open. */
export function counterText({ rows, done, open, attempts, status }: ChainSituation): string {
  return [
    `${count(done)} of ${count(rows)} done`,
    ...(isFinal(status) && open > 0 ? [`${count(open)} open`] : []),
    ...(attempts > 1 ? [counted(attempts, 'attempt')] : []),
  ].join(' · ');
}
