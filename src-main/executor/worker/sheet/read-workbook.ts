import { AppError } from '../../../base/app-error.ts';
import type { ReadOptions } from '../../../domain/rows/files/read-options.ts';
import { RemarkCollector } from '../../../domain/rows/files/read-remarks.ts';
import { type SheetAnswer, type SheetJob, sheetNames } from '../../parser/sheet-protocol.ts';
import { readCells } from './sheet-cells.ts';
import { SheetProblem } from './sheet-problem.ts';
import { SheetRows } from './sheet-rows.ts';
import { openWorkbook, type WorkbookFile } from './workbook-file.ts';

/** The rows of a sheet, or why there are none. */
export function readWorkbook(job: SheetJob): SheetAnswer {
  try {
    return readSheet(job);
  } catch (error) {
    if (error instanceof SheetProblem) return { type: 'refused', problem: error.message };
    // The header and options are checked by the rules of text files.
    if (error instanceof AppError) return { type: 'refused', problem: error.message };
    throw error;
  }
}

function readSheet({ bytes, types, read = {}, mustName = false }: SheetJob): SheetAnswer {
  const workbook = openWorkbook(bytes);
  const tables = workbook.sheets.filter(({ hasCells }) => hasCells);
  const sheets = tables.map(({ name, isHidden }) => ({ name, isHidden }));
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  if (read.sheet === undefined && mustName && visible.length > 1) return { type: 'several', sheets };
  const remarks = new RemarkCollector(read.strict, 'row');
  const sheet = read.sheet ?? chosenSheet(workbook, remarks);
  if (!workbook.sheets.some(({ name }) => name === sheet))
    return {
      type: 'refused',
      problem: `it has no sheet "${sheet}". Its sheets are ${sheetNames(workbook.sheets)}`,
    };
  const rows = new SheetRows(new Map(types), read, remarks);
  readCells(workbook.sheetXml(sheet), workbook, (number, cells) => rows.add(number, cells));
  const { lines, report, firstRows } = rows.end();
  const isOneOfSeveral = visible.length > 1 || read.sheet !== undefined;
  const readAs: ReadOptions = { ...(isOneOfSeveral && { sheet }), ...report.readAs };
  return { type: 'rows', sheets, sheet, report: { ...report, readAs }, firstRows, lines };
}

/** The first sheet with cells that is not hidden, else the first one. */
function chosenSheet({ sheets }: WorkbookFile, remarks: RemarkCollector): string {
  const tables = sheets.filter(({ hasCells }) => hasCells);
  const visible = tables.filter(({ isHidden }) => !isHidden);
  const chosen = visible[0] ?? tables[0];
  if (chosen === undefined) throw new SheetProblem('it has no sheet with cells');
  const isFirst = sheets.find(({ isHidden }) => !isHidden) === chosen;
  if (!isFirst || visible.length > 1)
    remarks.add({
      kind: 'sheet',
      words: () => `sheet "${chosen.name}"${visible.length > 1 ? ` of ${visible.length}` : ''}`,
      option: 'sheet',
    });
  return chosen.name;
}
