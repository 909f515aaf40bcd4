// Reads the body of an answer within its limits, no faster than there is room for it.
import type { Readable } from 'node:stream';
import type { ByteBudget } from './byte-budget.ts';
import { CallError, tooLarge } from './call-error.ts';
import type { Decoding } from './decoding.ts';
import { BufferedBody } from './buffered-body.ts';

type BodyReading = {
  readonly budget: ByteBudget;
  /** The run, as the owner of its share of the budget. */
  readonly owner: object;
  readonly decoding: Decoding;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Resolves when there is room to join a large body. */
  readonly room: () => Promise<void>;
};

type EncodedBody = {
  readonly stream: Readable;
  /** Value of the `Content-Encoding` header. */
  readonly encoding: string | undefined;
  readonly length: string | undefined;
};

/** Reads the whole body. Throws a `CallError`, the error of the stream, or the signal's reason. */
export async function readAnswerBody(body: EncodedBody, reading: BodyReading): Promise<Uint8Array> {
  const { stream, encoding, length } = body;
  const { budget, owner, decoding, maxBytes, signal, room } = reading;
  const buffered = new BufferedBody(budget, { owner, abort: () => stream.destroy(new CallError(tooSlow)) });
  try {
    const decode = decoding.decoderFor(encoding);
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (buffered.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
      await buffered.append(chunk, signal);
    }
    buffered.end();
    return await decode(buffered, { maxBytes, signal, room });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    stream.destroy();
    buffered.release();
  }
}

const tooSlow = 'was answered too slowly: its body stood still while other answers waited for room';
