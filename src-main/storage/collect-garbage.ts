// Garbage collection at moments that the engine cannot know of.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

/** Not before it is needed: it takes a context of its own, and many processes live a second. */
let engineCollect: Collect | undefined;

/** Frees what nothing refers to: all of it, which stops this thread for some 50 ms, or what was made lately. */
export function collectGarbage(type: 'minor' | 'major'): void {
  engineCollect ??= findCollect();
  engineCollect({ type });
}

/** The engine's own function, which only a flag makes visible; Electron's takes no flags once it runs. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext("typeof gc === 'function' ? gc : () => undefined") as Collect;
}
