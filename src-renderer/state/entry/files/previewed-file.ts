// A file in the preview, as it is run.
import { storedReading, type ReadAs, type ReadOptions } from '#contract';
import type { FileColumn } from '../column-types.ts';
import type { RowsFile } from './read-rows-file.ts';

export type PreviewedFile = {
  readonly source: File;
  readonly read: RowsFile;
  readonly columns: readonly FileColumn[];
  /** Choices of the user about how the file is read. */
  readonly options: ReadOptions;
};

/** Maximum characters of a file's name in the record of a run. */
const maxNameLength = 255;

/** How the file was read, for the record of a run of its rows. */
export const readAsOf = ({ read: { name, report }, options }: PreviewedFile): ReadAs =>
  storedReading(name.slice(0, maxNameLength), { ...report, readAs: { ...report.readAs, ...options } });
