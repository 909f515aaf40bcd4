// What the user chose in the export dialog, kept in this browser for each workflow.
import type { ExportFormat, ExportOptions } from '#contract';

export type ExportChoice = Required<
  Pick<ExportOptions, 'format' | 'inputColumns' | 'failedRows' | 'delimiter' | 'bom'>
> & {
  /** Names of the columns that are left out. */
  readonly leftOut: readonly string[];
};

const firstChoice: ExportChoice = {
  format: 'xlsx',
  inputColumns: true,
  failedRows: true,
  delimiter: 'comma',
  bom: true,
  leftOut: [],
};

const storedAs = (workflowId: string): string => `rowbench.export.${workflowId}`;

const formats: readonly ExportFormat[] = ['csv', 'xlsx', 'json', 'ndjson'];
const delimiters: readonly ExportChoice['delimiter'][] = ['comma', 'semicolon', 'tab'];

export function loadExportChoice(workflowId: string): ExportChoice {
  try {
    const stored = JSON.parse(localStorage.getItem(storedAs(workflowId)) ?? '{}') as Partial<ExportChoice>;
    const choice = { ...firstChoice, ...stored };
    const isKnown = formats.includes(choice.format) && delimiters.includes(choice.delimiter);
    return isKnown && Array.isArray(choice.leftOut) ? choice : firstChoice;
  } catch {
    return firstChoice; // Another program's text.
  }
}

export const saveExportChoice = (workflowId: string, choice: ExportChoice): void =>
  localStorage.setItem(storedAs(workflowId), JSON.stringify(choice));

type ChosenColumns = {
  /** All columns in their order; empty if they are not known. */
  readonly names: readonly string[];
  /** List field of which each entry gets a line; undefined: one line per row. */
  readonly explode: string | undefined;
};

export function optionsOfChoice(choice: ExportChoice, { names, explode }: ChosenColumns): ExportOptions {
  const { format, inputColumns, failedRows, delimiter, bom, leftOut } = choice;
  const columns = names.filter((name) => !leftOut.includes(name));
  return {
    format,
    rowNumbers: true,
    inputColumns,
    failedRows,
    ...(columns.length === names.length ? {} : { columns }),
    ...(explode === undefined ? {} : { explode }),
    ...(format === 'csv' ? { delimiter, bom } : {}),
  };
}
