// A set's rows while they arrive, in a folder that the next start clears away. The rename is the moment at which the set
// exists. Who calls: the row set service, through RowSetStore.
import { dirname, join } from 'node:path';
import { newline } from '../../domain/rows/line-bytes.ts';
import { rowSetSchema, type RowSet } from '../../domain/rows/row-set.ts';
import { sealedJson } from '../durable/sealed-json.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { rowsName } from './run-files.ts';
import { StagedFile } from './staged-file.ts';

export const rowSetRecordName = 'set.json';

type DraftPlace = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly onCommit: (set: RowSet) => void;
};

/** Nobody counts on a set that is not there yet: a full disk refuses it, and nothing more. */
const whileDraft = { refusesWhenFull: true } as const;

export type RowSetFacts = Pick<RowSet, 'workflowId' | 'name' | 'rows' | 'savedAt' | 'replaces'>;

export class RowSetDraft {
  readonly #parts: StoreParts;
  readonly #place: DraftPlace;
  readonly #rows: StagedFile;
  #lastByte = newline;
  #bytes = 0;
  #isOpen = true;
  #isCommitted = false;

  private constructor(parts: StoreParts, place: DraftPlace, rows: StagedFile) {
    this.#parts = parts;
    this.#place = place;
    this.#rows = rows;
  }

  static begin(parts: StoreParts, place: DraftPlace): Promise<RowSetDraft> {
    const { health, fileSystem } = parts;
    return health.attempt(async () => {
      await fileSystem.makeFolder(place.from);
      try {
        const rows = await fileSystem.open(join(place.from, rowsName), 'create');
        return new RowSetDraft(parts, place, new StagedFile(parts, rows, whileDraft));
      } catch (error) {
        // The failure that led here is the one to report; the next start clears away what is left.
        await fileSystem.remove(place.from).catch(() => undefined);
        throw error;
      }
    }, whileDraft);
  }

  /** Takes rows as lines of JSON; a call may end anywhere. One call at a time. Throws `disk_full`, `store_degraded`. */
  async write(lines: Uint8Array): Promise<void> {
    if (lines.length === 0) return;
    this.#lastByte = lines[lines.length - 1] ?? newline;
    this.#bytes += lines.length;
    await this.#rows.write(lines);
  }

  /** Makes the set exist; durable when it resolves. Throws `disk_full`, `store_degraded`. */
  async commit(facts: RowSetFacts): Promise<RowSet> {
    const { fileSystem, files, health } = this.#parts;
    const { id, from, to, onCommit } = this.#place;
    if (this.#lastByte !== newline) await this.write(Uint8Array.of(newline));
    await this.#rows.flush();
    const set = rowSetSchema.parse({ version: 1, id, ...facts, bytes: this.#bytes, rowsCrc: this.#rows.crc });
    await health.attempt(async () => {
      await this.#rows.sync();
      await this.#close();
      await files.create(join(from, rowSetRecordName), sealedJson(set));
      await fileSystem.syncFolder(from);
      await files.rename(from, to);
    }, whileDraft);
    this.#isCommitted = true;
    // Whatever fails from here on: the next start would find it.
    onCommit(set);
    await health.attempt(() => fileSystem.syncFolder(dirname(to)));
    return set;
  }

  /** Leaves nothing behind. Does nothing after a commit. */
  async abandon(): Promise<void> {
    if (this.#isCommitted) return;
    try {
      await this.#close();
      await this.#parts.fileSystem.remove(this.#place.from);
    } catch (error) {
      // Not worth failing what led here: the next start clears it away.
      this.#parts.log.warn({ error }, 'rows that were not kept could not be removed');
    }
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#rows.close();
  }
}
