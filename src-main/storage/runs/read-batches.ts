// Reads rows and results in batches, the next one while the caller uses one. Large lines come whole, or in pieces of bounded
// size for many slow readers.
import { dataUnreadable } from '../../domain/store-errors.ts';
import { countLines, newline } from '../../domain/rows/line-bytes.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { StoreDatabase } from './store-database.ts';
import type { PieceAddress } from '../sqlite/batch-queries.ts';
import {
  nameOfOwner,
  type OutputBatchPart,
  type OutputPart,
  type NewRowBatch,
  type RowOwner,
} from '../sqlite/stored-batches.ts';

type Reads = Pick<StoreDatabase, 'read'>;

/** A range of positions, from 1. */
type RowRange = {
  readonly fromRow: number;
  /** Last position that the caller needs. Absent: the last row. */
  readonly toRow?: number | undefined;
  /** True if all rows up to `toRow` are known to be stored: a missing one is damage. */
  readonly isWhole?: boolean;
};

type LargeLines = Omit<PieceAddress, 'piece'> & { readonly rows: number };

export type WholeRowBatch = NewRowBatch & { readonly lines: Uint8Array };

/** Batches of the owner's rows, starting with the batch of `fromRow`. Throws `data_unreadable`. */
export const readRowBatches = (
  database: Reads,
  owner: RowOwner,
  range: RowRange,
): AsyncGenerator<WholeRowBatch> => inOrder((row) => readRowBatch(database, owner, row), { ...range, owner });

async function readRowBatch(
  database: Reads,
  owner: RowOwner,
  row: number,
): Promise<WholeRowBatch | undefined> {
  const batch = await database.read('rowBatch', owner, row);
  if (batch === undefined) return undefined;
  const lines =
    batch.lines ?? (await readAllPieces(database, { owner, of: 'rows', firstRow: batch.firstRow, rows: 1 }));
  return { ...batch, lines };
}

/** The owner's rows as whole lines, starting with the batch of `fromRow`. Throws `data_unreadable`. */
export async function* readRowLines(
  database: Reads,
  owner: RowOwner,
  range: RowRange,
): AsyncGenerator<{ readonly firstRow: number; readonly bytes: Uint8Array; readonly rows: number }> {
  for await (const { firstRow, rows, lines } of readRowBatches(database, owner, range))
    yield { firstRow, rows, bytes: lines };
}

/**
 * One column of a run's results, starting with the commit of `fromRow`. Throws `data_unreadable`.
 * @param mayCut true if large outputs may come in several pieces
 */
export async function* readOutputPart(
  database: Reads,
  runId: string,
  { part, mayCut = false, ...range }: RowRange & { part: OutputPart; mayCut?: boolean },
): AsyncGenerator<{ readonly firstRow: number; readonly bytes: Uint8Array; readonly rows: number }> {
  const owner = { runId };
  const read = (row: number): Promise<OutputBatchPart | undefined> =>
    database.read('outputBatch', runId, row, part);
  for await (const { firstRow, rows, bytes } of inOrder(read, { ...range, owner, readsAhead: !mayCut })) {
    const large = { owner, of: 'outputs', firstRow, rows } as const;
    if (bytes !== undefined) yield { firstRow, rows, bytes };
    else if (!mayCut) yield { firstRow, rows, bytes: await readAllPieces(database, large) };
    else {
      let row = firstRow;
      for await (const piece of readPieces(database, large)) {
        const ended = countLines(piece);
        yield { firstRow: row, rows: piece.at(-1) === newline ? ended : ended + 1, bytes: piece };
        row += ended;
      }
    }
  }
}

/**
 * Batches, starting with the one of `fromRow`.
 * @param readsAhead true to read the next batch while the caller uses one
 */
async function* inOrder<Batch extends { readonly firstRow: number; readonly rows: number }>(
  read: (row: number) => Promise<Batch | undefined>,
  {
    owner,
    fromRow,
    toRow = Infinity,
    isWhole = false,
    readsAhead = true,
  }: RowRange & { owner: RowOwner; readsAhead?: boolean },
): AsyncGenerator<Batch> {
  const readFrom = async (row: number): Promise<Batch | undefined> => (row > toRow ? undefined : read(row));
  let nextRow = fromRow;
  let next: Promise<Batch | undefined> | undefined;
  for (;;) {
    const batch = await (next ?? readFrom(nextRow));
    if (batch === undefined && isWhole && nextRow <= toRow)
      throw dataUnreadable(`rows from ${nextRow} on of ${nameOfOwner(owner)} are missing`);
    if (batch === undefined) return;
    nextRow = batch.firstRow + batch.rows;
    if (readsAhead) next = readFrom(nextRow);
    // If the caller stops early, its failure is ignored.
    next?.catch(() => undefined);
    yield batch;
  }
}

/** Reads a large line in pieces. Throws `data_unreadable`, also if the pieces end too early. */
async function* readPieces(
  database: Reads,
  { rows, ...lines }: LargeLines,
): AsyncGenerator<RowLines['bytes']> {
  let ended = 0;
  for (let piece = 0; ended < rows; piece += 1) {
    const bytes = await database.read('piece', { ...lines, piece });
    if (bytes === undefined)
      throw dataUnreadable(`the ${lines.of} of row ${lines.firstRow + ended} are incomplete`);
    ended += countLines(bytes);
    yield bytes;
  }
}

async function readAllPieces(database: Reads, lines: LargeLines): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of readPieces(database, lines)) pieces.push(bytes);
  return Buffer.concat(pieces);
}
