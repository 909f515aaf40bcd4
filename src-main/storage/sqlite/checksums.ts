// The checksums in `rowbench.db`. SQLite notices a page that makes no sense, but no byte that changes inside a value.
import { crc32 } from 'node:zlib';
import { joinBytes } from '../../domain/rows/line-bytes.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { nameOfOwner, type OutputBatchPart, type OutputPart, type RowOwner } from './stored-batches.ts';

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

/** An answer to calls that rows share. */
export type SharedAnswerKey = { readonly owner: number; readonly key: string; readonly version: number };

/** CRC-32 of an answer and of what it answers. */
export const answerCrc = ({ owner, key, version }: SharedAnswerKey, answer: Uint8Array): number =>
  crc32(answer, crc32(`${owner},${key},${version},${answer.length}`));

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

// Blobs of batches as they were stored: each is compared with its checksum, and small ones are gathered.

/** Results of small commits are handed out together up to about this size, in bytes. */
export const gatheredBytes = 256 * 1024;

/** Columns of one part of a commit's results. */
export type StoredPart = {
  readonly id: number;
  readonly first_row: number;
  readonly rows: number;
  readonly bytes: Uint8Array | null;
  readonly crc: number;
};

/** A blob's batch, and its name in messages. */
type Batch = BatchKey & { readonly owner: RowOwner; readonly name: string };

/** The bytes as they were stored; undefined where the batch has none. Throws `data_unreadable`. */
export function checkedBlob(stored: Uint8Array | null, crc: number, batch: Batch): Uint8Array | undefined {
  const bytes = stored ?? undefined;
  if (blobCrc(batch, bytes) === crc) return bytes;
  const { owner, name, firstRow, rows } = batch;
  throw dataUnreadable(
    `damage at the ${name} of rows ${firstRow} to ${firstRow + rows - 1} of ${nameOfOwner(owner)}`,
  );
}

/** The first batch, and small ones that follow on it. Outputs that are too large to be held come alone, without bytes. */
export function gatherBatches(
  batches: Iterable<StoredPart>,
  part: OutputPart,
  owner: RowOwner,
): OutputBatchPart | undefined {
  const parts: Uint8Array[] = [];
  let [first, next, size] = [0, 0, 0];
  for (const { id, first_row: firstRow, rows, ...stored } of batches) {
    const bytes = checkedBlob(stored.bytes, stored.crc, { owner, name: part, id, firstRow, rows });
    const isLarge = bytes === undefined && part === 'outputs';
    if (next === 0) first = firstRow;
    else if (isLarge || firstRow !== next || size >= gatheredBytes) break;
    if (isLarge) return { firstRow, rows };
    next = firstRow + rows;
    if (bytes !== undefined) parts.push(bytes);
    size += bytes?.length ?? 0;
  }
  return next === 0 ? undefined : { firstRow: first, rows: next - first, bytes: joined(parts) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : joinBytes(parts);
}
