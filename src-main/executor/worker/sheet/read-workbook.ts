import type { SheetAnswer, SheetJob } from '../../parser/sheet-protocol.ts';
import { readCells } from './sheet-cells.ts';
import { SheetProblem } from './sheet-problem.ts';
import { SheetRows } from './sheet-rows.ts';
import { openWorkbook, type WorkbookFile } from './workbook-file.ts';

/** The rows of a sheet, or why there are none. */
export function readWorkbook(job: SheetJob): SheetAnswer {
  try {
    const workbook = openWorkbook(job.bytes);
    const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
    const { sheets } = workbook;
    if (job.sheet === undefined && job.mustName === true && visible.length > 1)
      return { type: 'several', sheets };
    const sheet = job.sheet ?? (visible[0] ?? sheets[0])?.name;
    if (sheet === undefined) return { type: 'refused', problem: 'it has no sheets' };
    if (!sheets.some(({ name }) => name === sheet))
      return { type: 'refused', problem: noSheet(sheet, workbook) };
    const rows = new SheetRows(new Map(job.types));
    readCells(workbook.sheetXml(sheet), workbook, (number, cells) => rows.add(number, cells));
    return { type: 'rows', sheets, sheet, lines: rows.lines() };
  } catch (error) {
    if (error instanceof SheetProblem) return { type: 'refused', problem: error.message };
    throw error;
  }
}

const noSheet = (sheet: string, { sheets }: WorkbookFile): string =>
  `it has no sheet "${sheet}". Its sheets are ${sheets.map(({ name }) => `"${name}"`).join(', ')}`;
