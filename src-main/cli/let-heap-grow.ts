// How often the engine looks for garbage in a process that passes bytes on. Buffers count towards the size at which it
// marks all there is, but not towards the size of the heap that this is reckoned from: a server with a heap of 20 MB
// marked it ten times a second while rows came and went, which took a sixth of a large run's computing.
// Not for the desktop app: Electron's engine takes no settings once it runs.
import { setFlagsFromString } from 'node:v8';

/** Four times what was alive after the last marking: the most that the engine would choose by itself. */
const growthPercent = 300;

/** To be called once, before there is much in memory. */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
