// The report about a file of rows as a run stores it. Apart from the schema, so that the pages can make one.
import { writtenReadOptions } from '../rows/files/read-options.ts';
import { remarkLine, type ReadReport } from '../rows/files/read-remarks.ts';

/** Characters of a remark about a file; a longer one is cut. */
export const maxReadText = 4000;

/** The report in the form in which a run stores it. @param file name of the file, without its folders */
export function storedReading(file: string, report: ReadReport) {
  const text = remarkLine(file, report).slice(0, maxReadText);
  return {
    file,
    options: writtenReadOptions(report.readAs),
    ...(report.remarks.length > 0 && { text }),
  };
}
