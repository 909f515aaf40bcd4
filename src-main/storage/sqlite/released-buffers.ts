import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects young garbage after so many bytes of buffers. The engine counts only the small objects that hold the buffers: it
 * would let tens of MB wait, then start a full collection because of them.
 */
export class ReleasedBuffers {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes bytes of released buffers that may wait for garbage collection */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts buffers that this thread has passed on or uses for the last time. */
  count(buffers: readonly ArrayBuffer[]): void {
    for (const { byteLength } of buffers) this.#bytes += byteLength;
    if (this.#bytes < this.#maxBytes) return;
    this.#bytes = 0;
    collectGarbage('minor');
  }
}

/** Garbage collection at moments that the engine cannot know. */
type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

/** Created at first use: it needs a context of its own, and many processes only live for a second. */
let engineCollect: Collect | undefined;

/** Collects garbage: `major` all of it, which blocks this thread for some 50 ms; `minor` only young objects. */
export function collectGarbage(type: 'minor' | 'major'): void {
  engineCollect ??= findCollect();
  engineCollect({ type });
}

/** The engine's function, which only a flag exposes; Electron accepts no flags at run time. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext("typeof gc === 'function' ? gc : () => undefined") as Collect;
}
