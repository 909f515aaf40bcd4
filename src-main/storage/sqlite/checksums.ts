// The checksums in `rowbench.db`. SQLite notices a page that makes no sense, but no byte that changes inside a value.
import { crc32 } from 'node:zlib';

/** The batch that a blob belongs to: a blob that is found in another one, or among other rows, is damaged. */
export type BatchKey = { readonly id: number; readonly firstRow: number; readonly rows: number };

const nothing = new Uint8Array();

/** The ids of one owner's batches begin at `owner * ownerStride`: room for the first rows of `maxRows` rows. */
const ownerStride = 2 ** 27;

/**
 * The id of the batch that begins with a row. Ids of one owner rise with its rows, so that the batch of any row is found
 * by the primary key alone.
 * @param owner number of a run or a row set
 * @param firstRow position of the batch's first row, from 1
 */
export const batchId = (owner: number, firstRow: number): number => owner * ownerStride + firstRow;

/** CRC-32 of a blob and of what its batch says of it. @param bytes undefined: the batch has none */
export const blobCrc = ({ id, firstRow, rows }: BatchKey, bytes: Uint8Array | undefined): number =>
  crc32(bytes ?? nothing, crc32(`${id},${firstRow},${rows},${bytes === undefined ? '' : bytes.length}`));

/** The values of a blob's two columns. */
export const blobAndCrc = (key: BatchKey, bytes: Uint8Array | undefined) =>
  [bytes ?? null, blobCrc(key, bytes)] as const;

/** Columns of the `runs` table about a run's committed results, beside its record. */
export type ProgressColumns = {
  readonly rows_done: number;
  readonly rows_failed: number;
  readonly rows_unfinished: number;
  readonly trace_bytes: number;
  readonly statistics: string | null;
};

/** CRC-32 of the columns. */
export const progressCrc = (columns: ProgressColumns): number =>
  crc32(
    [
      columns.rows_done,
      columns.rows_failed,
      columns.rows_unfinished,
      columns.trace_bytes,
      columns.statistics,
    ].join(),
  );
