// The rows of a run that wait in a node, for pages that show a run live. Who calls: RunExecution, with each wait and call
// of a row and with the end of each batch.
import type { Clock } from '../../base/clock.ts';
import type { RunningRow } from '../../domain/run/run.ts';
import type { NumberedRows } from '../../domain/run/row-numbers.ts';
import type { CallOrigin, RowBatch } from '../ports.ts';
import type { CallRequested, WaitRequested } from '../protocol.ts';

/** The node of the run's own workflow, also for a call that a called workflow makes. */
const nodeOf = ({ site }: CallOrigin): string => site.split('/', 1)[0] ?? site;

/** Maximum rows that are reported; a page shows fewer. */
const maxReported = 200;

export class RunningRows {
  /** By position. */
  readonly #rows = new Map<number, RunningRow>();
  readonly #clock: Clock;
  readonly #onAdded: (() => void) | undefined;

  constructor(clock: Clock, onAdded?: () => void) {
    this.#clock = clock;
    this.#onAdded = onAdded;
  }

  /** Notes that a row waits for an answer, in a node. */
  add(request: WaitRequested | CallRequested, { firstRow, numbers }: NumberedRows): void {
    const [row, nodeId] =
      request.type === 'wait' ? [request.row, request.nodeId] : [request.origin.row, nodeOf(request.origin)];
    const position = numbers === undefined ? row : firstRow + numbers.indexOf(row);
    if (this.#rows.get(position)?.nodeId === nodeId) return;
    this.#rows.set(position, { position, nodeId, sinceMs: this.#clock.now() });
    this.#onAdded?.();
  }

  /** Forgets the rows of a batch: they have ended, or run again elsewhere. */
  removeBatch({ firstRow, rows }: RowBatch): void {
    for (let row = firstRow; row < firstRow + rows; row += 1) this.#rows.delete(row);
  }

  /** In the order of the rows. */
  get list(): readonly RunningRow[] {
    return [...this.#rows.values()].sort((one, other) => one.position - other.position).slice(0, maxReported);
  }
}
