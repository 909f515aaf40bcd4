// All rows of the table at once: their counts, the strip of the rows in the order shown, and where a row is.
import type { Call, LocateRequest, TableOverview } from '#contract';
import { ControlError } from '../../../api/control-error.ts';
import type { RowTable } from './row-table.svelte.ts';

type ReadyOverview = Extract<TableOverview, { readonly isReady: true }>;

/** Maximum pieces of the strip. */
const maxPieces = 800;

export class OverviewLoader {
  readonly #call: Call;
  readonly #runId: string;
  #value = $state.raw<ReadyOverview | undefined>();
  /** The table of the newest question. */
  #table: RowTable | undefined;

  constructor(call: Call, runId: string) {
    this.#call = call;
    this.#runId = runId;
  }

  /** Undefined until it is known. */
  get value(): ReadyOverview | undefined {
    return this.#value;
  }

  /** A row that took at least this long is slow, in ms. */
  get slowMs(): number | undefined {
    return this.#value?.slowMs ?? undefined;
  }

  /** Throws the server's error, except for damaged data: the rows say themselves what cannot be read. */
  async load(table: RowTable): Promise<void> {
    this.#table = table;
    while (table === this.#table) {
      const answer = await this.#ask(table);
      if (answer?.isReady === false) continue;
      if (table === this.#table) this.#value = answer;
      return;
    }
  }

  async #ask(table: RowTable): Promise<TableOverview | undefined> {
    try {
      return await this.#call('run.overview', { ...this.#requestOf(table), pieces: maxPieces });
    } catch (error) {
      if (error instanceof ControlError && error.code === 'data_unreadable') return undefined;
      throw error;
    }
  }

  /** Index of a row in the table, from 0; undefined: the table does not have it. Throws the server's error. */
  async locate(table: RowTable, target: LocateRequest['target']): Promise<number | undefined> {
    for (;;) {
      const answer = await this.#call('run.locate', { ...this.#requestOf(table), target });
      if (answer.isReady) return answer.index === null ? undefined : answer.index - 1;
    }
  }

  #requestOf({ selection, asOf }: RowTable) {
    return { runId: this.#runId, selection, ...(asOf === undefined ? {} : { asOf }) };
  }
}
