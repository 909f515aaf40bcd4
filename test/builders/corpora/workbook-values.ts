// Workbooks of public corpora beside values that another program has read from them: `values.ndjson` in their folder has a
// line for each sheet, with the values by address. Dates are no part of it: their texts are a choice of each program.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CellValue } from '../../../src-main/executor/worker/sheet/sheet-cells.ts';
import { cellAddress, readCells } from '../../../src-main/executor/worker/sheet/sheet-cells.ts';
import { SheetProblem } from '../../../src-main/executor/worker/sheet/sheet-problem.ts';
import { openWorkbook } from '../../../src-main/executor/worker/sheet/workbook-file.ts';

type StoredSheet = {
  /** Path from the folder on. */
  readonly file: string;
  readonly sheet: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
};

type CheckedSheet = {
  readonly name: string;
  /** True for a chart, a dialog, or a file that is no sound workbook. */
  readonly isRefused: boolean;
  /** The first value that differs; undefined: all are equal. */
  readonly difference: string | undefined;
};

export async function checkWorkbooks(folder: string): Promise<CheckedSheet[]> {
  const lines = (await readFile(join(folder, 'values.ndjson'), 'utf8')).trimEnd().split('\n');
  const checked: CheckedSheet[] = [];
  for (const line of lines) {
    const { file, sheet, values } = JSON.parse(line) as StoredSheet;
    const found = await valuesIn(join(folder, file), sheet);
    const different = Object.entries(values).find(([at, value]) => !isEqual(found?.get(at), value));
    const difference =
      found !== undefined && different !== undefined
        ? `${different[0]}: ${JSON.stringify(found.get(different[0]))}, not ${JSON.stringify(different[1])}`
        : undefined;
    const isRefused = found === undefined;
    checked.push({ name: `${file} ${sheet}`, isRefused, difference });
  }
  return checked;
}

/** Undefined if the sheet is refused. */
async function valuesIn(path: string, sheet: string): Promise<ReadonlyMap<string, CellValue> | undefined> {
  const bytes = await readFile(path);
  const found = new Map<string, CellValue>();
  try {
    const workbook = openWorkbook(bytes);
    readCells(workbook.sheetXml(sheet), workbook, (row, cells) => {
      for (const { column, value } of cells)
        if (value !== undefined) found.set(cellAddress(column, row), value);
    });
    return found;
  } catch (error) {
    if (error instanceof SheetProblem) return undefined;
    throw error;
  }
}

function isEqual(found: CellValue | undefined, value: string | number | boolean): boolean {
  if (typeof found === 'number' && typeof value === 'number')
    return Math.abs(found - value) <= Math.abs(value) * 1e-12;
  if (typeof found !== 'string' || typeof value !== 'string') return found === value;
  return found.replaceAll(/\r\n?/g, '\n') === value.replaceAll(/\r\n?/g, '\n');
}
