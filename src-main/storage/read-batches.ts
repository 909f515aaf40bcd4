// Rows and results batch by batch, the next one being read while one is used. Large lines come whole, or in pieces of a
// bounded size for readers that may be slow and many.
import { countLines } from '../domain/rows/line-bytes.ts';
import type { RowPiece } from '../domain/run/row-numbers.ts';
import type { RunDatabase } from './run-database.ts';
import type { PieceAddress } from './sqlite/batch-queries.ts';
import type { OutputBatchPart, OutputPart, RowBatchPart, RowOwner } from './sqlite/stored-batches.ts';

/** Positions, from 1. */
export type RowRange = {
  readonly fromRow: number;
  /** Nothing behind it is asked for. Absent: up to the end. */
  readonly toRow?: number | undefined;
};

type LargeLines = Omit<PieceAddress, 'piece'>;

export type WholeRowBatch = RowBatchPart & { readonly lines: Uint8Array };

/** The batch that holds the row at that position; undefined past the last one. Throws `data_unreadable`. */
export async function readRowBatch(
  database: RunDatabase,
  owner: RowOwner,
  row: number,
): Promise<WholeRowBatch | undefined> {
  const batch = await database.read('rowBatch', owner, row);
  if (batch === undefined) return undefined;
  const lines =
    batch.lines ?? (await readAllPieces(database, { owner, of: 'rows', firstRow: batch.firstRow }));
  return { ...batch, lines };
}

/** The owner's rows from the batch on that holds `fromRow`, as whole lines. Throws `data_unreadable`. */
export async function* readRowLines(
  database: RunDatabase,
  owner: RowOwner,
  { fromRow, toRow }: RowRange,
): AsyncGenerator<{ readonly firstRow: number; readonly bytes: Uint8Array; readonly rows: number }> {
  const read = (row: number): Promise<WholeRowBatch | undefined> => readRowBatch(database, owner, row);
  for await (const { firstRow, rows, lines } of inOrder(read, { fromRow, toRow }))
    yield { firstRow, rows, bytes: lines };
}

/**
 * One part of a run's results, from the commit on that holds `fromRow`. Throws `data_unreadable`.
 * @param mayCut outputs too large to be held come in several pieces
 */
export async function* readOutputPart(
  database: RunDatabase,
  runId: string,
  { part, fromRow, toRow, mayCut = false }: RowRange & { part: OutputPart; mayCut?: boolean },
): AsyncGenerator<{ readonly firstRow: number; readonly bytes: Uint8Array; readonly rows: number }> {
  const read = (row: number): Promise<OutputBatchPart | undefined> =>
    database.read('outputBatch', runId, row, part);
  for await (const { firstRow, rows, bytes } of inOrder(read, { fromRow, toRow })) {
    const large = { owner: { runId }, of: 'outputs', firstRow } as const;
    if (bytes !== undefined) yield { firstRow, rows, bytes };
    else if (!mayCut) yield { firstRow, rows, bytes: await readAllPieces(database, large) };
    else {
      let row = firstRow;
      for await (const piece of readPieces(database, large)) {
        yield { firstRow: row, rows: 0, bytes: piece };
        row += countLines(piece);
      }
    }
  }
}

/** Batches from the one on that holds `fromRow`, the next one being read meanwhile. */
async function* inOrder<Batch extends { readonly firstRow: number; readonly rows: number }>(
  read: (row: number) => Promise<Batch | undefined>,
  { fromRow, toRow = Infinity }: RowRange,
): AsyncGenerator<Batch> {
  const readFrom = async (row: number): Promise<Batch | undefined> => (row > toRow ? undefined : read(row));
  let next = readFrom(fromRow);
  for (;;) {
    const batch = await next;
    if (batch === undefined) return;
    next = readFrom(batch.firstRow + batch.rows);
    // Where the caller stops before, nobody meets its failure.
    next.catch(() => undefined);
    yield batch;
  }
}

async function* readPieces(database: RunDatabase, lines: LargeLines): AsyncGenerator<RowPiece['bytes']> {
  for (let piece = 0; ; piece += 1) {
    const bytes = await database.read('piece', { ...lines, piece });
    if (bytes === undefined) return;
    yield bytes;
  }
}

async function readAllPieces(database: RunDatabase, lines: LargeLines): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of readPieces(database, lines)) pieces.push(bytes);
  return Buffer.concat(pieces);
}
