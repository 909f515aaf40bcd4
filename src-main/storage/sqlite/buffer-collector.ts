// Frees the buffers that a thread is done with. Each waits for garbage collection, and the engine only sees the few small
// objects that hold them: up to 60 MB would wait.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of buffers that may wait to be freed. */
const mostWaitingBytes = 4_000_000;

type Collect = (options: { readonly type: 'minor' }) => void;

export class BufferCollector {
  #collect: Collect | undefined;
  #waitingBytes = 0;

  /** Notes buffers that were passed on to this thread or by it, and that it does not use any more. */
  note(buffers: readonly ArrayBufferLike[]): void {
    for (const { byteLength } of buffers) this.#waitingBytes += byteLength;
    if (this.#waitingBytes < mostWaitingBytes) return;
    this.#waitingBytes = 0;
    // Not before it is needed: it takes a context of its own, and many processes live a second.
    this.#collect ??= engineCollect();
    this.#collect({ type: 'minor' });
  }
}

/** The engine's own function, which only a flag makes visible. */
function engineCollect(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
