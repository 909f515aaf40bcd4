// The commit records of a run's outputs, one line of text each:
//
//   <rows> <outputs bytes> <rows failed> <trace bytes> [<rows unfinished>]
//   <CRC32 of this commit's output bytes> [<of its row states> <of its traces>] <CRC32 of the line>
//
// Rows are unfinished where a cancel came before their end; a commit without any leaves the number out. Older versions
// left out the CRCs of states and traces. All but the CRCs count from the run's start, so the last line says all about how far a run is, and any line where a
// row's bytes are. The line's CRC goes on from the one before: a line that is missing, doubled or moved is noticed.
import { crc32 } from 'node:zlib';
import { newline } from '../../domain/rows/line-bytes.ts';
import type { RowCounts } from '../../domain/run/run.ts';
import type { OpenFile } from '../file-system.ts';
import { readBytes } from '../durable/read-bytes.ts';
import { wholeLines } from './whole-lines.ts';

export type Commit = {
  /** Rows since the run's start, this commit's included; likewise the next four. */
  readonly rows: number;
  readonly outputsBytes: number;
  readonly rowsFailed: number;
  readonly traceBytes: number;
  readonly rowsUnfinished: number;
  /** Of the bytes that this commit added to the outputs. */
  readonly outputsCrc: number;
  /** Likewise of the row states and the traces; undefined: an older version wrote them. */
  readonly statesCrc: number | undefined;
  readonly traceCrc: number | undefined;
  /** Of the line, and of all before it. */
  readonly lineCrc: number;
};

/** Where a run stands before its first commit. */
export const noCommit: Commit = {
  rows: 0,
  outputsBytes: 0,
  rowsFailed: 0,
  traceBytes: 0,
  rowsUnfinished: 0,
  outputsCrc: 0,
  statesCrc: undefined,
  traceCrc: undefined,
  lineCrc: 0,
};

export const countsOf = ({ rows, rowsFailed, rowsUnfinished }: Commit): RowCounts => ({
  rowsDone: rows - rowsFailed - rowsUnfinished,
  rowsFailed,
  ...(rowsUnfinished > 0 ? { rowsUnfinished } : {}),
});

/** The commit's line, and the commit with that line's CRC. */
export function writeCommit(
  commit: Omit<Commit, 'lineCrc'>,
  before: Commit,
): { readonly line: Uint8Array; readonly commit: Commit } {
  const { rows, outputsBytes, rowsFailed, traceBytes, rowsUnfinished, outputsCrc } = commit;
  const { statesCrc, traceCrc } = commit;
  const unfinished = rowsUnfinished > 0 ? ` ${rowsUnfinished}` : '';
  const ofParts =
    statesCrc === undefined || traceCrc === undefined ? '' : ` ${hex(statesCrc)} ${hex(traceCrc)}`;
  const counts = `${rows} ${outputsBytes} ${rowsFailed} ${traceBytes}${unfinished}`;
  const body = `${counts} ${hex(outputsCrc)}${ofParts}`;
  const lineCrc = crc32(body, before.lineCrc);
  return { line: Buffer.from(`${body} ${hex(lineCrc)}\n`), commit: { ...commit, lineCrc } };
}

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');

/** A commit with the place of its line in the index and the commit before it. */
export type StoredCommit = {
  readonly kind: 'commit';
  readonly commit: Commit;
  readonly before: Commit;
  readonly lineStart: number;
  readonly lineEnd: number;
};

/** Where the good lines end. `torn`: the last line is incomplete. `bad`: a whole line that does not fit. */
export type IndexFlaw = {
  readonly kind: 'torn' | 'bad';
  readonly at: number;
  /** From 1, where reading began. */
  readonly line: number;
};

/** Between two lines: behind that of a commit. */
export type IndexPlace = { readonly before: Commit; readonly at: number };
const indexStart: IndexPlace = { before: noCommit, at: 0 };

const chunkBytes = 64 * 1024;

/** All commits in order from that place on, up to the first flaw, which comes last. */
export async function* readCommits(
  index: OpenFile,
  from: IndexPlace = indexStart,
): AsyncGenerator<StoredCommit | IndexFlaw> {
  let { before, at: lineStart } = from;
  let line = 1;
  for await (const chunk of wholeLines(index, { from: from.at, to: await index.size(), chunkBytes })) {
    if (chunk.at(-1) !== newline) {
      yield { kind: 'torn', at: lineStart, line };
      return;
    }
    for (const text of Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length - 1)
      .toString('latin1')
      .split('\n')) {
      const commit = parseCommit(text, before);
      if (commit === undefined) {
        yield { kind: 'bad', at: lineStart, line };
        return;
      }
      const lineEnd = lineStart + text.length + 1;
      yield { kind: 'commit', commit, before, lineStart, lineEnd };
      before = commit;
      lineStart = lineEnd;
      line += 1;
    }
  }
}

const linePattern =
  /^(\d{1,15}) (\d{1,15}) (\d{1,15}) (\d{1,15})(?: (\d{1,15}))? ([0-9a-f]{8})(?: ([0-9a-f]{8}) ([0-9a-f]{8}))? ([0-9a-f]{8})$/;

/** A commit by its line, without the newline; undefined if the line does not fit the one before. */
export function parseCommit(line: string, before: Commit): Commit | undefined {
  const commit = parseLine(line);
  if (commit === undefined) return undefined;
  if (crc32(line.slice(0, line.lastIndexOf(' ')), before.lineCrc) !== commit.lineCrc) return undefined;
  // Each row has at least the newline of its output.
  const grows =
    commit.rows > before.rows && commit.outputsBytes - before.outputsBytes >= commit.rows - before.rows;
  return grows ? commit : undefined;
}

function parseLine(line: string): Commit | undefined {
  const fields = linePattern.exec(line)?.slice(1);
  if (fields === undefined) return undefined;
  const [rows = 0, outputsBytes = 0, rowsFailed = 0, traceBytes = 0] = fields.slice(0, 4).map(Number);
  const rowsUnfinished = Number(fields[4] ?? 0);
  const crcs = fields.slice(5).map((field?: string) => (field === undefined ? field : parseInt(field, 16)));
  const [outputsCrc = 0, statesCrc, traceCrc, lineCrc = 0] = crcs;
  return {
    rows,
    outputsBytes,
    rowsFailed,
    traceBytes,
    rowsUnfinished,
    outputsCrc,
    statesCrc,
    traceCrc,
    lineCrc,
  };
}

/** As long as eight lines at least. */
const tailBytes = 1024;

/**
 * How far a run is, from the index's end alone: the last of its lines that fits the one before it, the last one
 * where none does. For a look; whoever reads what it vouches for, or goes on with a run, meets the damage.
 */
export async function lastCommit(index: OpenFile): Promise<Commit> {
  const size = await index.size();
  const from = Math.max(0, size - tailBytes);
  const bytes = Buffer.allocUnsafe(size - from);
  const text = bytes.subarray(0, await readBytes(index, bytes, from)).toString('latin1');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const fitting = lastFitting(lines, from === 0 ? noCommit : undefined);
  return fitting ?? lines.map(parseLine).findLast((commit) => commit !== undefined) ?? noCommit;
}

/** The last commit whose line fits the one before it. @param start what comes before the first line, if that is known */
function lastFitting(lines: readonly string[], start: Commit | undefined): Commit | undefined {
  let before = start;
  let last: Commit | undefined;
  for (const line of lines) {
    last = (before && parseCommit(line, before)) ?? last;
    before = parseLine(line);
  }
  return last;
}

/**
 * Behind the last commit whose rows all come before that row, found by halving. Its line has been held against
 * the one before it, and those that are read from there on are held against it.
 */
export async function placeBefore(index: OpenFile, row: number): Promise<IndexPlace> {
  let place = indexStart;
  let end = await index.size();
  while (end - place.at > chunkBytes) {
    const middle = Math.floor((place.at + end) / 2);
    const found = await lineAfter(index, middle);
    if (found === undefined || found.at >= end) break;
    if (found.before.rows < row) place = found;
    else end = middle;
  }
  for await (const found of readCommits(index, place)) {
    if (found.kind !== 'commit' || found.commit.rows >= row) break;
    place = { before: found.commit, at: found.lineEnd };
  }
  return place;
}

/** Behind the second line that begins after that byte, if it fits the first one. */
async function lineAfter(index: OpenFile, from: number): Promise<IndexPlace | undefined> {
  const bytes = Buffer.allocUnsafe(tailBytes);
  const text = bytes.subarray(0, await readBytes(index, bytes, from)).toString('latin1');
  const first = text.indexOf('\n') + 1;
  const second = text.indexOf('\n', first) + 1;
  const end = text.indexOf('\n', second);
  if (first === 0 || second === 0 || end < 0) return undefined;
  const commit = parseLine(text.slice(first, second - 1));
  const before = commit && parseCommit(text.slice(second, end), commit);
  return before === undefined ? undefined : { before, at: from + end + 1 };
}
