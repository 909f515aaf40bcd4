// A compact run: a small run that is kept in one file, `<runId>.run`. A run in a folder of its own takes five new files and
// eight syncs from its acceptance to its end; most runs are small, and a new file costs more than what is written to it.
//
//   run 1 <bytes of the record> <of the rows> <of their numbers> <of given values> <CRC32 of the record>[ <spare> <CRC32 of
//     the four>] <CRC32 of all before> <told>
//   <the record, the rows, their numbers, given values>
//
// What a run has nothing of is a dash. Rows, numbers and values are vouched for by the record. <spare> is the name of the spare
// file that it was made for: while a file has that name, and the checksum fits the four parts (not the pieces, which come later),
// it is an accepted run. Under the run's own name nobody looks at the two. What becomes of the run is appended, piece by
// piece; the last of a kind counts:
//
//   record <bytes> <CRC32 of them> <CRC32 of all pieces before> <CRC32 of all before>   and the record
//   results 1 …                                                                         as results-file.ts has them
//
// Zeros may follow: room for pieces that has its place on the disk already. The bytes of pieces that have been synced are told in the first line, in its place and afterwards: what is shorter, or does not
// fit, was damaged. Beyond them it was being written when the power went, and counts for nothing.
import { crc32 } from 'node:zlib';
import { runSchema, type Run } from '../../domain/run/run.ts';
import type { Place } from './bytes-file.ts';
import { resultsLength } from './results-file.ts';

/** What a run is accepted with, beside its record. */
export type CompactRows = {
  readonly rows: Uint8Array;
  readonly numbers?: Uint8Array | undefined;
  readonly given?: Uint8Array | undefined;
};

export type CompactContent = {
  /** The last one that is whole. */
  readonly record: Run;
  readonly places: { readonly [K in keyof CompactRows]: Place | undefined };
  readonly results: Place | undefined;
  /** Where the pieces begin, and where those that are whole end. */
  readonly piecesFrom: number;
  readonly end: number;
  /** Where those end that were synced for sure; without it nobody knows more than what is there. */
  readonly told: number;
  /** CRC32 of the first line, and from that on of all pieces. */
  readonly seed: number;
  readonly chain: number;
  /** Something else than zeros follows. */
  readonly hasRest: boolean;
  /** Something is missing of what had been synced. */
  readonly isDamaged: boolean;
};

/** Nothing can be made of it: in words for a person. */
export type CompactFlaw = { readonly flaw: string };

/** Of `told`: ten of the number, and two that the others leave when they are divided by this prime. */
const toldDigits = 12;
const toldPrime = 97;
/** Longer than any first line of the file or a piece can be. */
const mostLineBytes = 256;

const newline = 10;

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
const sealed = (body: string): string => `${body} ${hex(crc32(body))}`;
/** What a line says before its checksum; undefined: it does not fit. */
function opened(line: string): string | undefined {
  const body = line.slice(0, -9);
  return sealed(body) === line ? body : undefined;
}

/** The bytes that `told` is written as, and where: before the newline of the first line. */
export const encodeTold = (pieceBytes: number): Uint8Array =>
  Buffer.from(
    `${String(pieceBytes).padStart(toldDigits - 2, '0')}${String(pieceBytes % toldPrime).padStart(2, '0')}`,
  );
export const toldAt = (bytes: Uint8Array): number => bytes.indexOf(newline) - toldDigits;

function parseTold(text: string): number | undefined {
  const value = Number(text.slice(0, -2));
  return Buffer.from(encodeTold(value)).toString() === text ? value : undefined;
}

/** Room for what most small runs come to. */
const leastRoom = 3 * 1024;
/** What disks hand out at once. */
const blockBytes = 4096;

/**
 * A file without pieces yet, and with room for some.
 * @param spareName of the file that it is for, where that is a spare one
 */
export function encodeCompact(
  record: Run,
  { rows, numbers, given }: CompactRows,
  spareName?: string,
): { readonly bytes: Buffer; readonly content: CompactContent } {
  const recordBytes = encodeRecord(record);
  const parts = [recordBytes, rows, numbers, given];
  const lengths = parts.map((part) => part?.length ?? '-').join(' ');
  const spare = spareName === undefined ? '' : ` ${spareName} ${hex(crcOf(parts))}`;
  const body = `run 1 ${lengths} ${hex(crc32(recordBytes))}${spare}`;
  const head = [Buffer.from(`${sealed(body)} `), encodeTold(0), Buffer.from('\n')];
  let at = head.reduce((length, { length: more }) => length + more, 0);
  const [, rowsPlace, numbersPlace, givenPlace] = parts.map((part) => {
    const from = at;
    at += part?.length ?? 0;
    return part && { from, to: at };
  });
  const size = Math.ceil((at + leastRoom) / blockBytes) * blockBytes;
  return {
    // Filled up with zeros.
    bytes: Buffer.concat([...head, ...parts.filter((part) => part !== undefined)], size),
    content: {
      record,
      places: { rows: rowsPlace, numbers: numbersPlace, given: givenPlace },
      results: undefined,
      piecesFrom: at,
      end: at,
      told: at,
      seed: crc32(body),
      chain: crc32(body),
      hasRest: false,
      isDamaged: false,
    },
  };
}

const crcOf = (parts: readonly (Uint8Array | undefined)[]): number =>
  parts.reduce((crc, part) => (part === undefined ? crc : crc32(part, crc)), 0);

/** The piece that a later record is. @param chain CRC32 of all pieces before it, from that of the first line on */
export function encodeRecordPiece(run: Run, chain: number): readonly Uint8Array[] {
  const record = encodeRecord(run);
  const line = sealed(`record ${record.length} ${hex(crc32(record))} ${hex(chain)}`);
  return [Buffer.from(`${line}\n`), record];
}

/** One line, ended by a newline. */
const encodeRecord = (run: Run): Buffer => Buffer.from(`${JSON.stringify(run)}\n`);

const headPattern =
  /^run 1 (\d{1,9}) (\d{1,9}) (\d{1,9}|-) (\d{1,9}|-) ([0-9a-f]{8})(?: ([\w-]{1,64}) ([0-9a-f]{8}))?$/;

type Head = {
  readonly record: Place;
  readonly recordCrc: string;
  readonly places: CompactContent['places'];
  readonly spare: { readonly name: string; readonly partsCrc: string } | undefined;
  readonly piecesFrom: number;
  /** Undefined: it is damaged. */
  readonly toldBytes: number | undefined;
  readonly seed: number;
};

function parseHead(bytes: Uint8Array): Head | CompactFlaw {
  const line = lineAt(bytes, 0) ?? '';
  const body = opened(line.slice(0, -toldDigits - 1));
  if (body === undefined) return damagedFlaw;
  const [, record = '', rows, numbers, given, recordCrc, name, partsCrc] = headPattern.exec(body) ?? [];
  if (recordCrc === undefined) return newerFlaw;
  let at = line.length + 1;
  const placeOf = (size: string | undefined): Place | undefined => {
    if (size === undefined || size === '-') return undefined;
    const from = at;
    at += Number(size);
    return { from, to: at };
  };
  const recordPlace = { from: at, to: (at += Number(record)) };
  const places = { rows: placeOf(rows), numbers: placeOf(numbers), given: placeOf(given) };
  if (at > bytes.length) return { flaw: 'it is too short' };
  const toldBytes = parseTold(line.slice(-toldDigits));
  const spare = name === undefined || partsCrc === undefined ? undefined : { name, partsCrc };
  return { record: recordPlace, recordCrc, places, spare, piecesFrom: at, toldBytes, seed: crc32(body) };
}

/**
 * The run that was accepted into the spare file of that name. Undefined: there is none. What does not fit was being written, or
 * is of a run that was removed; damage of an accepted one cannot be told from that.
 */
export function runInSpare(name: string, bytes: Uint8Array): string | CompactFlaw | undefined {
  const head = parseHead(bytes);
  if (head === newerFlaw) return head;
  if ('flaw' in head || head.spare?.name !== name) return undefined;
  const { record, recordCrc, spare, piecesFrom } = head;
  if (hex(crc32(bytes.subarray(record.from, piecesFrom))) !== spare.partsCrc) return undefined;
  const accepted = recordIn(bytes.subarray(record.from, record.to), recordCrc);
  return accepted === 'newer' ? newerFlaw : accepted?.runId;
}

/** What a file holds. */
export function parseCompact(bytes: Uint8Array): CompactContent | CompactFlaw {
  const head = parseHead(bytes);
  if ('flaw' in head) return head;
  const { record, recordCrc, places, piecesFrom, toldBytes, seed } = head;
  const told = piecesFrom + (toldBytes ?? 0);
  const accepted = recordIn(bytes.subarray(record.from, record.to), recordCrc);
  const pieces = piecesIn(bytes, { from: piecesFrom, told, seed });
  if (pieces === 'newer' || accepted === 'newer') return newerFlaw;
  const last = lastRecord(bytes, { pieces, told, accepted });
  if (last === undefined) return damagedFlaw;
  const isWhole = toldBytes !== undefined && accepted !== undefined && pieces.end >= told;
  return {
    record: last,
    places,
    results: pieces.results,
    piecesFrom,
    end: pieces.end,
    told,
    seed,
    chain: pieces.chain,
    hasRest: bytes.subarray(pieces.end).some((byte) => byte !== 0),
    isDamaged: !isWhole || pieces.hasDamage,
  };
}

/** Results that were not synced, and are not whole: as if they had not been begun. */
export function withoutResults(bytes: Uint8Array, content: CompactContent): CompactContent {
  const { results, piecesFrom, seed } = content;
  const end = results?.from ?? content.end;
  return {
    ...content,
    results: undefined,
    end,
    chain: crc32(bytes.subarray(piecesFrom, end), seed),
    hasRest: true,
  };
}

const damagedFlaw: CompactFlaw = { flaw: 'it is damaged' };
const newerFlaw: CompactFlaw = { flaw: 'it was written by a newer Rowbench' };

type Found = { readonly pieces: Pieces; readonly told: number; readonly accepted: Run | undefined };

function lastRecord(bytes: Uint8Array, { pieces, told, accepted }: Found): Run | undefined {
  if (pieces.end >= told) return pieces.record ?? accepted;
  // Without one, what is missing may be what the run came to: to execute it again would be a guess.
  return lastRecordAfter(bytes, pieces.end);
}

type Pieces = {
  record?: Run | undefined;
  results?: Place;
  end: number;
  chain: number;
  hasDamage: boolean;
};
type PiecesPlace = { readonly from: number; readonly told: number; readonly seed: number };

/** Those that follow each other. */
function piecesIn(bytes: Uint8Array, { from, told, seed }: PiecesPlace): Pieces | 'newer' {
  const found: Pieces = { end: from, chain: seed, hasDamage: false };
  for (;;) {
    const piece = pieceAt(bytes, { at: found.end, told, chain: found.chain });
    if (piece === undefined) return found;
    if (piece === 'newer') return piece;
    if (piece.kind === 'results') found.results = { from: found.end, to: piece.to };
    else found.record = piece.record ?? found.record;
    found.hasDamage ||= piece.kind === 'record' && piece.record === undefined;
    found.chain = crc32(bytes.subarray(found.end, piece.to), found.chain);
    found.end = piece.to;
  }
}

/** @property record undefined: it is damaged */
type Piece = { readonly to: number } & (
  { readonly kind: 'results' } | { readonly kind: 'record'; readonly record: Run | undefined }
);
type PiecePlace = { readonly at: number; readonly told: number; readonly chain: number };

/** Undefined: none, or one that cannot be told from what a power cut leaves. */
function pieceAt(bytes: Uint8Array, place: PiecePlace): Piece | 'newer' | undefined {
  const { at } = place;
  const line = lineAt(bytes, at);
  if (line === undefined) return undefined;
  const record = recordLine(line);
  if (record !== undefined) return recordPiece(bytes, place, { ...record, at: at + line.length + 1 });
  const length = resultsLength(line);
  if (length === undefined) return opened(line) === undefined ? undefined : 'newer';
  return at + length > bytes.length ? undefined : { kind: 'results', to: at + length };
}

function recordPiece(
  bytes: Uint8Array,
  { told, chain }: PiecePlace,
  line: RecordLine & { readonly at: number },
): Piece | 'newer' | undefined {
  const to = line.at + line.size;
  const isSynced = to <= told;
  // Beyond what was synced it is worth no more than what was written before it: any of that may be missing.
  if (to > bytes.length || (!isSynced && line.chain !== hex(chain))) return undefined;
  const record = recordIn(bytes.subarray(line.at, to), line.crc);
  if (record === 'newer') return record;
  return record === undefined && !isSynced ? undefined : { kind: 'record', record, to };
}

/** Behind a flaw the pieces are not known to begin anywhere; a record is recognised by its checksums. */
function lastRecordAfter(bytes: Uint8Array, from: number): Run | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString('latin1');
  for (
    let at = text.lastIndexOf(recordWord);
    at >= 0;
    at = at === 0 ? -1 : text.lastIndexOf(recordWord, at - 1)
  ) {
    const line = lineAt(bytes, from + at);
    const record = line === undefined ? undefined : recordLine(line);
    if (line === undefined || record === undefined) continue;
    const start = from + at + line.length + 1;
    const run = recordIn(bytes.subarray(start, start + record.size), record.crc);
    if (run !== undefined && run !== 'newer') return run;
  }
  return undefined;
}

const recordWord = 'record ';

type RecordLine = { readonly size: number; readonly crc: string; readonly chain: string };

function recordLine(line: string): RecordLine | undefined {
  const [, size, crc, chain] =
    /^record (\d{1,9}) ([0-9a-f]{8}) ([0-9a-f]{8})$/.exec(opened(line) ?? '') ?? [];
  return crc === undefined || chain === undefined ? undefined : { size: Number(size), crc, chain };
}

/** Undefined: it is not what was written. */
function recordIn(bytes: Uint8Array, crc: string): Run | 'newer' | undefined {
  if (hex(crc32(bytes)) !== crc) return undefined;
  return runSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? 'newer';
}

/** Without its newline; undefined where none comes soon. */
function lineAt(bytes: Uint8Array, from: number): string | undefined {
  const part = bytes.subarray(from, from + mostLineBytes);
  const end = part.indexOf(newline);
  return end < 0 ? undefined : Buffer.from(part.buffer, part.byteOffset, end).toString('latin1');
}
