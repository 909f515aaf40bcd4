import { dataUnreadable } from '../../domain/errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { orUnreadable, release } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { RowReader } from './row-reader.ts';
import { givenName, numbersName, rowsName } from './run-files.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunNumbers } from './run-numbers.ts';
import { RunRowReader } from './run-row-reader.ts';

/** What a run's record says of its rows. */
export type RowsCrcs = Partial<Pick<Run, 'rowsCrc' | 'givenCrc' | 'numbersCrc'>>;

export type RunRows = {
  readonly folder: RunFolder;
  readonly numbers: RunNumbers;
  readonly afterRow: number;
  readonly crcs: RowsCrcs;
};

/**
 * Hands out a run's rows after that one. Throws `data_unreadable`; for rows, or values that they are given, of another
 * CRC before the last ones.
 */
export async function openRunRows({ folder, numbers, afterRow, crcs }: RunRows): Promise<RunRowReader> {
  const lines = async (file: OpenFile, name: string, crc?: number): Promise<RowReader> => {
    const label = folder.labelOf(name);
    try {
      return await orUnreadable(label, () => RowReader.open({ file, label, afterRow, crc }));
    } catch (error) {
      await release(file);
      throw error;
    }
  };
  const rows = await lines(await folder.open(rowsName), rowsName, crcs.rowsCrc);
  let given: RowReader | undefined;
  try {
    const givenFile = await folder.openIfThere(givenName);
    assertThere(givenFile, crcs.givenCrc, folder.labelOf(givenName));
    given = givenFile && (await lines(givenFile, givenName, crcs.givenCrc));
    const numbersFile = await numbers.open(folder.runId);
    assertThere(numbersFile, crcs.numbersCrc, folder.labelOf(numbersName));
    return new RunRowReader({ label: folder.label, rows, numbers: numbersFile, given });
  } catch (error) {
    await given?.close();
    await rows.close();
    throw error;
  }
}

/** A file of which the record has a checksum was there when the run was accepted. */
function assertThere(file: OpenFile | undefined, crc: number | undefined, label: string): void {
  if (file === undefined && crc !== undefined) throw dataUnreadable(`${label} is missing`);
}
