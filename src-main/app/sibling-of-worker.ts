import { dirname, join } from 'node:path';

/** Path of another bundled program. The build puts all programs into one folder. */
export const siblingOfWorker = (workerScript: string, name: string): string =>
  join(dirname(workerScript), name);
