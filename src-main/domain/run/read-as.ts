// How the file was read that a run has its rows of: stored with the run, so that the same file can be read alike again.
import { z } from 'zod';
import { lookupText } from '../lookup-text.ts';
import { writtenReadOptions } from '../rows/files/read-options.ts';
import { remarkLine, type ReadReport } from '../rows/files/read-remarks.ts';

/** Characters of a remark about a file; a longer one is cut. */
const maxReadText = 4000;

export const readAsSchema = z.object({
  /** Name of the file, without its folders. */
  file: lookupText.max(255),
  /** The options with which the file is read alike, in their written form (`parseReadOptions`). */
  options: z.record(lookupText.max(20), z.union([z.string().max(300), z.boolean()])),
  /** One line about the decisions and about lines that were left out; absent: none. */
  text: z.string().max(maxReadText).exactOptional(),
});
export type ReadAs = z.infer<typeof readAsSchema>;

/** The report in the form in which a run stores it. @param file name of the file, without its folders */
export function storedReading(file: string, report: ReadReport): ReadAs {
  const text = remarkLine(file, report).slice(0, maxReadText);
  return {
    file,
    options: writtenReadOptions(report.readAs),
    ...(report.remarks.length > 0 && { text }),
  };
}
