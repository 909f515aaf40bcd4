// Blobs of batches as they were stored: each is compared with its checksum, and small ones are gathered.
import { dataUnreadable } from '../../domain/store-errors.ts';
import { joinBytes } from '../../domain/rows/line-bytes.ts';
import { blobCrc, type BatchKey } from './checksums.ts';
import { nameOfOwner, type OutputBatchPart, type OutputPart, type RowOwner } from './stored-batches.ts';

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
