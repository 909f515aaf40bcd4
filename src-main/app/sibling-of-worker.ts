import { dirname, join } from 'node:path';

/** Path of another bundled program. The build puts all programs into one folder. */
export const siblingOfWorker = (workerScript: string, name: string): string =>
  join(dirname(workerScript), name);

/** The folder of the examples, which are in the package beside the folder of the programs. */
export const examplesFolder = (workerScript: string): string => join(dirname(workerScript), '..', 'examples');
