// Chains: which attempts they have, and how many of their rows are done. Who calls: the control API, the live feed.
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { LruMap } from '../../base/lru-map.ts';
import { Throttled } from '../../base/throttled.ts';
import { isUnfinishedAttempt } from '../../domain/hosted/hosted-attempt.ts';
import { chainIdOf, rowsOfChain, type ChainRows } from '../../domain/run/chain.ts';
import { runNotFound } from '../../domain/run-errors.ts';
import type { RowQueries, RunRecord, RunRecords } from '../ports.ts';
import type { RunService } from '../runs/run-service.ts';

type ChainDeps = {
  readonly runs: RunService;
  readonly store: Pick<RunRecords, 'attemptsOf'>;
  readonly queries: Pick<RowQueries, 'countChainRows'>;
  readonly clock: Clock;
  readonly log: Log;
};

export type Chain = {
  readonly chainId: string;
  /** All rows, also those that a sample left out, and of them those with an output and those that failed. */
  readonly rows: ChainRows;
  /** Oldest first; at least one. */
  readonly attempts: readonly RunRecord[];
};

/** Attempts of a chain that are looked at. */
const maxAttempts = 1_000;
const publishEveryMs = 500;
/** Chains of several attempts whose changes are followed. */
const maxWatched = 1_000;

export class ChainService {
  readonly #deps: ChainDeps;
  /** Chains known to have several attempts. */
  readonly #withAttempts = new LruMap<string, true>({ maxEntries: maxWatched });
  readonly #changed = new Set<string>();
  #stopWatching: (() => Promise<void>) | undefined;

  constructor(deps: ChainDeps) {
    this.#deps = deps;
  }

  /** The chain that a run is an attempt of. Throws `run_not_found`, `data_unreadable`. */
  async show(runId: string): Promise<Chain> {
    const { run } = await this.#deps.runs.get(runId);
    const chain = await this.#read(chainIdOf(run));
    if (chain === undefined) throw runNotFound();
    return chain;
  }

  /** The chains with these ids; those that are not stored, or damaged, are left out. */
  async list(chainIds: readonly string[]): Promise<readonly Chain[]> {
    const chains = await Promise.all(chainIds.map((chainId) => this.#readable(chainId)));
    return chains.filter((chain) => chain !== undefined);
  }

  /** Calls back with each chain of several attempts that changes, twice a second at most, until `close`. */
  watch(onChange: (chain: Chain) => void): void {
    const { runs, clock } = this.#deps;
    const publishing = new Throttled({ clock, everyMs: publishEveryMs, act: () => this.#publish(onChange) });
    const note = (chainId: string): void => {
      this.#changed.add(chainId);
      publishing.request();
    };
    const listenings = [
      runs.shortenedChains.listen(note),
      runs.events.listen(({ run }) => {
        const chainId = chainIdOf(run);
        // The counts of a single run follow from its record.
        if (run.chainId === undefined && !this.#withAttempts.has(chainId)) return;
        this.#withAttempts.set(chainId, true);
        note(chainId);
      }),
    ];
    this.#stopWatching = async () => {
      for (const stop of listenings) stop();
      await publishing.close();
    };
  }

  async close(): Promise<void> {
    await this.#stopWatching?.();
  }

  async #publish(onChange: (chain: Chain) => void): Promise<void> {
    const chainIds = [...this.#changed];
    this.#changed.clear();
    try {
      for (const chain of await this.list(chainIds)) onChange(chain);
    } catch (error) {
      this.#deps.log.warn({ error }, 'rows of chains could not be counted');
    }
  }

  /** Undefined also for a chain that is damaged, or removed meanwhile. */
  async #readable(chainId: string): Promise<Chain | undefined> {
    try {
      return await this.#read(chainId);
    } catch (error) {
      if (error instanceof AppError && ['data_unreadable', 'run_not_found'].includes(error.code))
        return undefined;
      throw error;
    }
  }

  async #read(chainId: string): Promise<Chain | undefined> {
    const { runs, store } = this.#deps;
    const runIds = await store.attemptsOf(chainId, maxAttempts);
    const attempts = (await runs.list({ runIds })).toReversed();
    const [first] = attempts;
    return first && { chainId, attempts, rows: await this.#rowsOf(first, attempts) };
  }

  async #rowsOf(first: RunRecord, attempts: readonly RunRecord[]): Promise<ChainRows> {
    const open = attempts.filter(({ run }) => isUnfinishedAttempt(run)).map(({ run }) => run.runId);
    const counted =
      attempts.length === 1
        ? rowsOfOnly(first, open.length > 0)
        : await this.#deps.queries.countChainRows(
            attempts.map(({ run }) => run.runId),
            open,
          );
    // The first attempts may have been removed by an earlier version.
    return { ...counted, rows: Math.max(rowsOfChain(first.run), counted.rows) };
  }
}

/** The rows of a chain with a single attempt. @param isOpen true if it may bring results from a hosted service */
function rowsOfOnly({ run, counts }: RunRecord, isOpen: boolean): ChainRows {
  const { rowsDone: done, rowsFailed: failed } = counts;
  const rows = { rows: run.rows, done, gains: [] };
  return isOpen ? { ...rows, failed: 0, unknown: run.rows - done } : { ...rows, failed };
}
