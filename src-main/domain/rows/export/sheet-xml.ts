// One sheet of an Excel workbook as XML. Text is always written as text, so Excel never runs it as a formula.
import type { JsonValue } from '../../../base/json-value.ts';

/** Maximum rows of a sheet, with its header. */
export const maxWorksheetRows = 1_048_576;
/** Maximum characters of a cell. */
export const maxCellLength = 32_767;

/** Styles of cells, by their position in `sheetStyles`. */
const styles = { plain: '', header: ' s="1"', formulaLike: ' s="2"' } as const;

const namespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
export const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The header stays in sight. */
export const sheetStart =
  `${xmlHeader}<worksheet ${namespace}><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';
export const sheetEnd = '</sheetData></worksheet>';

/**
 * `quotePrefix` keeps a text that looks like a formula a text when a user edits the cell.
 */
export const sheetStyles =
  `${xmlHeader}<styleSheet ${namespace}>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** @param number of the row in the sheet, from 1 */
export function sheetRow(
  number: number,
  values: readonly (JsonValue | undefined)[],
  { isHeader = false } = {},
): string {
  const cells = values.map((value, column) => cellXml(`${columnName(column)}${number}`, value, isHeader));
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** Null and undefined leave the cell out. */
function cellXml(address: string, value: JsonValue | undefined, isHeader: boolean): string {
  if (value === undefined || value === null) return '';
  const at = `<c r="${address}"`;
  if (typeof value === 'number') return `${at}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `${at} t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = sheetCellText(value);
  return `${at}${styleOf(text, isHeader)} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

function styleOf(text: string, isHeader: boolean): string {
  if (isHeader) return styles.header;
  return /^[=+\-@]/.test(text) ? styles.formulaLike : styles.plain;
}

/** The text of a cell for a value that is no number and no boolean: lists and objects are JSON. */
export const sheetCellText = (value: Exclude<JsonValue, number | boolean | null>): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const columnNames: string[] = [];

/** `A` for column 0, `AB` for column 27. */
export function columnName(column: number): string {
  return (columnNames[column] ??= nameOf(column));
}

function nameOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : nameOf(Math.floor(column / 26) - 1) + letter;
}

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Characters that XML cannot hold are written as Excel writes them: `_x0007_`. So is a text that looks like this. */
const xmlText = (text: string): string =>
  /[^\t\n -!#-%'-;=?-^`-~]/.test(text)
    ? text
        .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
        .replaceAll(
          unwritable,
          (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
        )
        .replaceAll(/[&<>"]/g, (character) => xmlEntities[character] ?? character)
    : text;

/** Control characters, the two forbidden code points, halves of characters, and the CR, which XML reads as LF. */
const unwritable =
  /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
