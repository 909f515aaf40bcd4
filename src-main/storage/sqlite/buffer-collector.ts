// Frees the buffers that a thread is done with. Each waits for garbage collection, and the engine only sees the few small
// objects that hold them: up to 60 MB would wait.
import { collectGarbage } from '../collect-garbage.ts';

/** Bytes of buffers that may wait to be freed. */
const maxWaitingBytes = 4_000_000;

export class BufferCollector {
  #waitingBytes = 0;

  /** Counts buffers that were passed on to this thread or by it, and that it does not use any more. */
  countReleased(buffers: readonly ArrayBufferLike[]): void {
    for (const { byteLength } of buffers) this.#waitingBytes += byteLength;
    if (this.#waitingBytes < maxWaitingBytes) return;
    this.#waitingBytes = 0;
    collectGarbage('minor');
  }
}
