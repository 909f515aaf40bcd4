import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of buffers that somebody holds in this process: what is only waiting to be collected is collected first. */
export async function heldBufferBytes(): Promise<number> {
  collect();
  // What a collection lets go of is given back a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return process.memoryUsage().arrayBuffers;
}
