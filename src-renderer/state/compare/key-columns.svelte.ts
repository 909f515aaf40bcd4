// The columns by which rows of two runs can be matched, and which of them is unique in both.
import { columnText, maxStatisticsColumns, type Call, type Column } from '#contract';
import { readStatistics } from '../run/read-statistics.ts';

type KeyColumn = {
  readonly column: Column;
  /** Undefined: not known. */
  readonly isUnique?: boolean;
};

/** Columns that a menu shows. */
const maxColumns = 30;
/** Rows of both runs up to which statistics are asked for: about a second of the server's time. */
const maxRows = 200_000;

export class KeyColumns {
  readonly #call: Call;
  #found = $state.raw<readonly KeyColumn[]>([]);
  #loaded: string | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Columns that both runs have, those of the rows first. */
  get found(): readonly KeyColumn[] {
    return this.#found;
  }

  /** The first column that is unique in both runs. */
  get suggestedColumn(): Column | undefined {
    return this.#found.find(({ isUnique }) => isUnique === true)?.column;
  }

  get suggestion(): string | undefined {
    return this.suggestedColumn === undefined ? undefined : columnText(this.suggestedColumn);
  }

  /** Loads once for each pair of runs. Never rejects: without columns, other ways to match are left. */
  async load(firstRunId: string, secondRunId: string): Promise<void> {
    const key = `${firstRunId} ${secondRunId}`;
    if (this.#loaded === key) return;
    this.#loaded = key;
    try {
      const [before, after] = await Promise.all(
        [firstRunId, secondRunId].map((runId) => this.#call('run.columns', { runId })),
      );
      const names = after?.map(columnText) ?? [];
      const columns = (before ?? [])
        .filter((column) => names.includes(columnText(column)))
        .slice(0, maxColumns);
      this.#found = columns.map((column) => ({ column }));
      const inputs = columns.filter(({ of }) => of === 'input').slice(0, maxStatisticsColumns);
      if (inputs.length === 0 || firstRunId === secondRunId) return;
      const unique = await this.#uniqueIn(firstRunId, inputs);
      const both = unique.length === 0 ? [] : await this.#uniqueIn(secondRunId, unique);
      if (this.#loaded === key)
        this.#found = columns.map((column) => ({ column, isUnique: both.includes(column) }));
    } catch {
      this.#loaded = undefined;
    }
  }

  /** Columns that are filled in every row, each with another value. */
  async #uniqueIn(runId: string, columns: readonly Column[]): Promise<readonly Column[]> {
    const { rows } = await this.#call('run.show', { runId });
    if (rows > maxRows) return [];
    const loaded = this.#loaded;
    const isNeeded = (): boolean => this.#loaded === loaded;
    const statistics = await readStatistics(this.#call, { runId, columns }, { isNeeded });
    return columns.filter((_, index) => {
      const found = statistics?.[index];
      return (
        found !== undefined && found.rows > 1 && found.filled === found.rows && found.distinct === found.rows
      );
    });
  }
}
