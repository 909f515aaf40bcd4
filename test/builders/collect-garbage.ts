import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of array buffers that this process still holds, counted after a garbage collection. */
export async function reachableBufferBytes(): Promise<number> {
  collect();
  // What a collection lets go of is given back a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return process.memoryUsage().arrayBuffers;
}
