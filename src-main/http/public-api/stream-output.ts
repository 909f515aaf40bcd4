// A completed run's outputs as one JSON object, written as they are read: memory does not grow with the run.
import type { ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import { runNotCompleted } from '../../domain/run-errors.ts';
import { type RowLines, rowNumberAt, rowIdsOf } from '../../domain/run/row-numbers.ts';
import { writeOut } from '../write-out.ts';
import type { PublicCall } from './call-facts.ts';
import { openCall, type PublicApiDeps, findRun } from './open-call.ts';
import { setScenarioHeader } from './answers.ts';

export type OutputStream = {
  readonly runId: string;
  /** Outputs as JSON; an empty line has no entry. */
  readonly lines: AsyncIterable<RowLines>;
  readonly log: Log;
  /** Is shown each piece right before it is sent. */
  readonly seen?: (piece: Buffer) => void;
};

/**
 * Maximum bytes gathered before they are sent. Small answers go out in one piece, since each piece wakes the client.
 */
const maxBufferedBytes = 64 * 1024;

/**
 * Answers `{"success":true,"data":{"<row id>":<line>,…}}` and resolves when all is handed over or the client has
 * gone. Throws what goes wrong before the first byte is sent; after that the connection is broken off, so that half an
 * answer is never taken for a whole one.
 */
export async function streamOutput(
  response: ServerResponse,
  { runId, lines, log, seen }: OutputStream,
): Promise<void> {
  const buffered: Buffer[] = [];
  let bytes = 0;
  const write = async (piece: Buffer): Promise<void> => {
    if (bytes > 0 && bytes + piece.length > maxBufferedBytes) {
      const ready = joined(buffered.splice(0));
      bytes = 0;
      begin(response);
      seen?.(ready);
      await writeOut(response, ready);
    }
    buffered.push(piece);
    bytes += piece.length;
  };
  try {
    await write(Buffer.from('{"success":true,"data":{'));
    const entries = new OutputEntries(runId);
    for await (const batch of lines) {
      for (const piece of entries.of(batch)) await write(piece);
      if (response.destroyed) return;
    }
    await write(Buffer.from('}}'));
    const last = joined(buffered);
    seen?.(last);
    if (response.headersSent) return void response.end(last);
    begin(response);
    // Node would add it by itself, but then the API log could not read it.
    response.setHeader('Content-Length', last.length);
    response.end(last);
  } catch (error) {
    if (!response.headersSent) throw error;
    log.error({ runId, error }, 'an output could not be read to its end');
    response.destroy();
  }
}

function begin(response: ServerResponse): void {
  if (response.headersSent) return;
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** The entries of an output's `data` as bytes. */
const pieceBytes = 64 * 1024;
/** Looked through at once; no more than half a piece, so that what stands before a line fits in with it. */
const sliceBytes = 32 * 1024;

/**
 * `"<row id>":<line>` for each line that is not empty, with a comma before each but the very first, in pieces of a
 * bounded size: a reader that has stopped must not cost a second copy of all that was read for it.
 *
 * Bytes are handled as text of one character each: cutting and joining it is the engine's own work, and takes half the
 * time of a loop over the bytes.
 */
export class OutputEntries {
  readonly #rowId: (row: number) => string;
  #isFirst = true;
  /** The last line goes on. */
  #isInside = false;

  constructor(runId: string) {
    this.#rowId = rowIdsOf(runId);
  }

  /** Yields the entries of these lines, which continue those of the previous call. */
  *of(lines: RowLines): Generator<Buffer> {
    let text = '';
    let index = 0;
    for (const parts of slices(lines.bytes)) {
      for (let at = 0; at < parts.length; at += 1) {
        if (at > 0) {
          this.#isInside = false;
          index += 1;
        }
        const part = parts[at] ?? '';
        if (part === '') continue;
        const entry = this.#isInside ? part : this.#head(rowNumberAt(lines, index)) + part;
        this.#isInside = true;
        if (text.length + entry.length > pieceBytes) {
          yield Buffer.from(text, 'latin1');
          text = '';
        }
        text += entry;
      }
    }
    if (text !== '') yield Buffer.from(text, 'latin1');
  }

  #head(row: number): string {
    const comma = this.#isFirst ? '' : ',';
    this.#isFirst = false;
    return `${comma}"${this.#rowId(row)}":`;
  }
}

/** Slices of the bytes, each cut at its newlines. */
function* slices({ buffer, byteOffset, byteLength }: Uint8Array): Generator<string[]> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let from = 0; from < bytes.length; from += sliceBytes)
    yield bytes.toString('latin1', from, from + sliceBytes).split('\n');
}

/** GET /api/v1/workflows/{workflowId}/runs/{runId}/async/response */
export const openRunOutput = (deps: PublicApiDeps) => async (publicCall: PublicCall) => {
  const { context, workflowId, runId = '' } = publicCall;
  const { key, call, notes } = await openCall(deps, publicCall, 'output');
  const run = await findRun(deps.runs, { key, workflowId, runId });
  notes.run = run;
  setScenarioHeader(context, run);
  await call.useResource();
  await deps.api.apiFaults.strike(run, call);
  if (run.status !== 'completed') {
    throw runNotCompleted(run.status, run.status === 'failed' ? run.error : undefined);
  }
  context.respond = false;
  await streamOutput(context.res, {
    runId,
    lines: deps.runs.runs.readOutputPieces(runId, run.rows),
    log: deps.log,
    seen: (piece) => {
      notes.answeredAt ??= deps.clock.monotonic();
      notes.streamed.take(piece);
    },
  });
};
