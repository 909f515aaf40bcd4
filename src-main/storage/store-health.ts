// Whether the data folder can still be written. After one failed write or sync, the content of the disk is unknown. So
// nothing new is accepted until a restart has read it again; a sync is never tried twice.
import { AppError } from '../base/app-error.ts';
import type { Log } from '../base/log.ts';
import { storeDegraded } from '../domain/store-errors.ts';

export class StoreHealth {
  readonly #log: Log;
  #isDegraded = false;
  #cause: unknown;

  constructor(log: Log) {
    this.#log = log;
  }

  get degraded(): boolean {
    return this.#isDegraded;
  }

  /** The first failure. */
  get cause(): unknown {
    return this.#cause;
  }

  degrade(error: unknown): void {
    if (this.#isDegraded) return;
    this.#isDegraded = true;
    this.#cause = error;
    this.#log.error(
      { error },
      'the data folder could not be written; nothing new is accepted until a restart',
    );
  }

  /** Throws `store_degraded`. */
  assertWritable(): void {
    if (this.#isDegraded) throw storeDegraded(this.#cause);
  }

  /**
   * Does a write; a failure degrades the store and is thrown as `store_degraded`. An AppError passes as it is, such as
   * the `disk_full` of a file that was not changed.
   */
  async attempt<T>(write: () => Promise<T>): Promise<T> {
    this.assertWritable();
    try {
      return await write();
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.degrade(error);
      throw storeDegraded(error);
    }
  }
}
