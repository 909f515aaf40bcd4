// Decides how much of a row's trace is kept, and owns the notes that the trace is made of. Who calls: RowRunner, when a
// row begins and when it ends.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowsTraced, rowsWithValues } from '../../domain/run/trace-form.ts';
import type { Portion } from '../protocol.ts';
import type { PortionResults } from './portion-results.ts';
import { RowNotes } from './row-notes.ts';
import { indexInPortion } from './row-run.ts';
import type { Members } from './row-output.ts';
import { SlowRows } from './slow-rows.ts';
import type { Step } from './step.ts';
import { briefLine, failureLine, fullLine, type NodeValue } from './trace-line.ts';

/** A row that has ended, as the runner knows it. */
export type EndedRow = {
  readonly row: number;
  /** Among the run's rows, from 1: what is kept of it depends on it. */
  readonly position: number;
  readonly portion: Portion;
  readonly results: PortionResults;
  readonly failure: RowFailure | undefined;
  /** By the node's place in the plan. */
  readonly values: readonly unknown[];
  readonly members: readonly (Members | undefined)[];
};

export class RowTracer {
  readonly #steps: readonly Step[];
  readonly #slow = new SlowRows();

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  begin({ detail }: Portion): RowNotes {
    return new RowNotes(this.#steps.length, detail !== 'failures');
  }

  /** Counts the row; its line of the trace, or undefined. The notes are no longer the row's. */
  end(ended: EndedRow, notes: RowNotes, durationMicros: number): string | undefined {
    ended.results.count(indexInPortion(ended), notes);
    const line = this.#line(ended, notes, this.#slow.note(durationMicros));
    return line;
  }

  #line(ended: EndedRow, notes: RowNotes, isSlow: boolean): string | undefined {
    const { row, position, failure, portion } = ended;
    if (portion.detail === 'failures') return failure && failureLine(failure);
    const traced = { row, failure, notes };
    if (failure !== undefined || position <= rowsWithValues || portion.detail === 'full')
      return fullLine(traced, (place) => this.#valueOf(ended, place));
    return position <= rowsTraced || isSlow ? briefLine(traced) : undefined;
  }

  #valueOf({ values, members }: EndedRow, place: number): NodeValue {
    if (this.#steps[place]?.fields === undefined) {
      const value = values[place];
      return value === undefined ? undefined : { value };
    }
    const own = members[place];
    return own === undefined ? undefined : { json: `{${own}}` };
  }
}
