// Garbage collection at moments that the engine cannot know.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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
