// The sets of rows that the export dialog offers, and how many rows each writes into a file.
import type { Call, RowSelection, RunView, TableRowsInput } from '#contract';
import { wholeLabel } from '../attempt-texts.ts';

/** Rows that a table shows, some of them or all, in its order. */
export type ShownRows = { readonly rows: TableRowsInput; readonly selection: RowSelection };

export type ExportScope = {
  readonly id: 'latest' | 'run' | 'shown';
  readonly title: string;
  /** Run that is asked for the rows. */
  readonly runId: string;
  readonly selection: RowSelection;
};

/** Rows of a scope: with an output, and failed ones. Others are not written. */
export type ScopeCounts = { readonly done: number; readonly failed: number };

/** Facts about the run's chain that the scopes name. */
type ExportedChain = {
  /** It has several attempts. */
  readonly isMerged: boolean;
  /** Number of the run among them. */
  readonly attempt: number;
  /** Name of the file that the rows came from. */
  readonly counts?: { readonly source?: string } | undefined;
};

/** The first one is proposed. */
export function exportScopes(
  run: RunView,
  { isMerged, attempt, counts }: ExportedChain,
  shown: ShownRows | undefined,
): readonly ExportScope[] {
  const { runId } = run;
  const selection = allIn(shown?.selection);
  const title = wholeLabel(counts?.source);
  const own: ExportScope = {
    id: 'run',
    title: isMerged ? `Attempt ${attempt}` : title,
    runId,
    selection,
  };
  const latest: ExportScope = { id: 'latest', title, runId, selection: { ...selection, latest: true } };
  return [...shownScope(shown), ...(isMerged ? [latest, own] : [own])];
}

/** All rows in the order of a selection. */
const allIn = ({ sort, groupBy }: Partial<RowSelection> = {}): RowSelection => ({
  conditions: [],
  ...(sort && { sort }),
  ...(groupBy && { groupBy }),
});

function shownScope(shown: ShownRows | undefined): readonly ExportScope[] {
  if (shown === undefined || shown.selection.conditions.length === 0) return [];
  const { rows, selection } = shown;
  const isSelected = selection.conditions.some(({ of }) => of === 'rows');
  const title = isSelected ? 'Selected rows' : 'Rows shown';
  return [{ id: 'shown', title, runId: rows.runId, selection: { ...selection, latest: rows.latest } }];
}

/** Counts the rows of a scope as the server stores them now. Throws the signal's reason, and `ControlError`. */
export async function countScope(call: Call, scope: ExportScope, signal: AbortSignal): Promise<ScopeCounts> {
  const countOf = async (state: 'done' | 'failed'): Promise<number> => {
    const { conditions, latest } = scope.selection;
    const selection = { conditions: [...conditions, { of: 'state' as const, states: [state] }], latest };
    for (;;) {
      signal.throwIfAborted();
      const page = await call('run.table', { runId: scope.runId, selection, from: 1, count: 1 });
      if (page.isReady) return page.total;
    }
  };
  return { done: await countOf('done'), failed: await countOf('failed') };
}

/** Rows that a file has; undefined while they are being counted. */
export const writtenRows = (counts: ScopeCounts | undefined, withFailed: boolean): number | undefined =>
  counts && counts.done + (withFailed ? counts.failed : 0);
