// Frames for messages between the main process and a row worker: a head of JSON, and its bytes unchanged. Rows and
// outputs are megabytes a second; an envelope that serialises them again would cost as much as running them.
//
//   head length u32 | lengths of three parts, u32 each | head | first part | second part | third part
//
// INVARIANT: `FrameReader` hands out exactly the frames that were sent, however the bytes were cut on the way.
import type { FromWorker, ToWorker } from '../protocol.ts';

type Part = Uint8Array;
export type Frame = readonly [start: Uint8Array, ...parts: Part[]];

/** Bytes of the prefix: four lengths of four bytes, little endian. */
const prefixBytes = 16;
/** Maximum bytes of a frame. A row has 64 MB at most and its output seldom more; a batch has one such row. */
const maxFrameBytes = 1_000_000_000;
/** Maximum bytes of a worker's head. The longest one is that of a call, which holds the body as JSON. */
const maxHeadBytesOfWorker = 200_000_000;
/** Memory outside the heap that a worker may use for a frame, in MB. */
const nativeMemoryMb = 100;

type FrameLimits = {
  /** Bytes of a whole frame and of its head. */
  readonly frameBytes: number;
  readonly headBytes: number;
};

/**
 * Limits of the frames of a worker with this heap. It builds them as text, and a character of one byte in memory takes two
 * bytes at most in a frame.
 */
export const workerFrameLimits = (memoryMb: number): FrameLimits => ({
  frameBytes: Math.min(maxFrameBytes, 2 * 1024 * 1024 * (memoryMb + nativeMemoryMb)),
  headBytes: maxHeadBytesOfWorker,
});
const none: Part = new Uint8Array(0);

/** A message to a worker as pieces to be written one after the other; the rows are not copied. */
export function frameToWorker(message: ToWorker): Frame {
  if (message.type === 'batch')
    return frame({ ...message, batch: { ...message.batch, bytes: undefined, reusedValues: undefined } }, [
      message.batch.bytes,
      ...(message.batch.reusedValues === undefined ? [] : [message.batch.reusedValues]),
    ]);
  if (message.type === 'call-answered' && message.answer.kind === 'answered')
    return frame({ ...message, answer: { ...message.answer, body: undefined } }, [message.answer.body]);
  return frame(message, []);
}

export const frameFromWorker = (message: FromWorker): Frame =>
  message.type === 'batch-done'
    ? frame(
        {
          ...message,
          result: { ...message.result, outputs: undefined, states: undefined, trace: undefined },
        },
        [message.result.outputs, message.result.states, message.result.trace],
      )
    : frame(message, []);

// Bytes are added to the parsed head, and nothing is spread: the engine gives copies made by spreading hidden classes of
// their own, so that the code that runs rows would read fields slowly and be compiled again.

/** Rebuilds a message to a worker from its frame. */
export function messageToWorker(
  head: unknown,
  [bytes = none, reusedValues = none]: readonly Part[],
): ToWorker {
  const message = head as ToWorker;
  if (message.type === 'batch')
    Object.assign(message.batch, reusedValues.byteLength === 0 ? { bytes } : { bytes, reusedValues });
  else if (message.type === 'call-answered' && message.answer.kind === 'answered')
    Object.assign(message.answer, { body: bytes });
  return message;
}

/** Rebuilds a message from a worker from its frame. Throws a TypeError if the head lacks the object for the bytes. */
export function messageFromWorker(
  head: unknown,
  [outputs = none, states = none, trace = none]: readonly Part[],
): FromWorker {
  const message = head as FromWorker;
  if (message.type === 'batch-done') Object.assign(message.result, { outputs, states, trace });
  return message;
}

/** Makes a frame of a JSON head and up to three parts. */
export function frame(head: object, parts: readonly Part[]): Frame {
  const text = JSON.stringify(head);
  const headLength = Buffer.byteLength(text);
  const start = Buffer.allocUnsafe(prefixBytes + headLength);
  start.writeUInt32LE(headLength, 0);
  start.writeUInt32LE(parts[0]?.byteLength ?? 0, 4);
  start.writeUInt32LE(parts[1]?.byteLength ?? 0, 8);
  start.writeUInt32LE(parts[2]?.byteLength ?? 0, 12);
  start.write(text, prefixBytes);
  return [start, ...parts.filter((part) => part.byteLength > 0)];
}

/** Gathers frames from bytes that come in any pieces. */
export class FrameReader {
  readonly #onFrame: (head: unknown, parts: readonly Part[]) => void;
  readonly #limits: FrameLimits;
  readonly #prefix = Buffer.alloc(prefixBytes);
  #prefixFilled = 0;
  /** Head and parts of the frame that is coming in. */
  #body: Buffer | undefined;
  #bodyFilled = 0;

  constructor(
    onFrame: (head: unknown, parts: readonly Part[]) => void,
    limits: FrameLimits = { frameBytes: maxFrameBytes, headBytes: maxFrameBytes },
  ) {
    this.#onFrame = onFrame;
    this.#limits = limits;
  }

  /** True if only a part of a frame has arrived. */
  get isWithinFrame(): boolean {
    return this.#body !== undefined || this.#prefixFilled > 0;
  }

  /** Reads bytes without keeping them. After a RangeError for a frame above the limits, the reader cannot be used. */
  readBytes(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length)
      at = this.#body === undefined ? this.#readPrefix(bytes, at) : this.#readBody(bytes, at);
  }

  #readPrefix(bytes: Buffer, at: number): number {
    const copied = bytes.copy(this.#prefix, this.#prefixFilled, at);
    this.#prefixFilled += copied;
    if (this.#prefixFilled === prefixBytes) {
      this.#prefixFilled = 0;
      const bodyLength = this.#length(0) + this.#length(1) + this.#length(2) + this.#length(3);
      const { frameBytes, headBytes } = this.#limits;
      if (bodyLength > frameBytes || this.#length(0) > headBytes)
        throw new RangeError(`a frame of ${bodyLength} bytes`);
      this.#body = Buffer.allocUnsafe(bodyLength);
      this.#bodyFilled = 0;
    }
    return at + copied;
  }

  #readBody(bytes: Buffer, at: number): number {
    const body = this.#body ?? Buffer.alloc(0);
    const copied = bytes.copy(body, this.#bodyFilled, at);
    this.#bodyFilled += copied;
    if (this.#bodyFilled === body.length) {
      this.#body = undefined;
      this.#finish(body);
    }
    return at + copied;
  }

  #finish(body: Buffer): void {
    const headEnd = this.#length(0);
    const firstEnd = headEnd + this.#length(1);
    const secondEnd = firstEnd + this.#length(2);
    const head: unknown = JSON.parse(body.toString('utf8', 0, headEnd));
    this.#onFrame(head, [
      body.subarray(headEnd, firstEnd),
      body.subarray(firstEnd, secondEnd),
      body.subarray(secondEnd),
    ]);
  }

  /** Length of the head (0) or of a part (1 to 3), in bytes. */
  #length(part: 0 | 1 | 2 | 3): number {
    return this.#prefix.readUInt32LE(part * 4);
  }
}
