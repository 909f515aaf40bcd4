// Workbooks (.xlsx) of a test's own XML, for what Rowbench's own export never writes.
import { zipFile } from '../../src-main/services/results/zip-file.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

type SheetXml = { readonly name: string; readonly rows: string; readonly state?: 'hidden' };

type WorkbookXml = {
  readonly sheets: readonly SheetXml[];
  /** `<si>` elements. */
  readonly texts?: string;
  /** The inside of `<styleSheet>`. */
  readonly styles?: string;
  readonly is1904?: boolean;
};

/** @param sheets rows as `<row>` elements */
export function smallWorkbook({
  sheets,
  texts = '',
  styles = '',
  is1904 = false,
}: WorkbookXml): Promise<Buffer> {
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="s${index}"/>`,
  );
  const targets = sheets.map(
    (_, index) =>
      `<Relationship Id="s${index}" Type="${links}/worksheet" Target="worksheets/s${index}.xml"/>`,
  );
  return zipped({
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${links}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets.join('')}<Relationship Id="t" Type="${links}/sharedStrings" Target="/xl/texts.xml"/><Relationship Id="y" Type="${links}/styles" Target="styles.xml"/></Relationships>`,
    'xl/texts.xml': `<sst xmlns="${main}">${texts}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}">${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A ZIP file of these texts by their names. */
export async function zipped(contents: Readonly<Record<string, string>>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const entries = Object.entries(contents).map(([name, content]) => ({ name, content }));
  for await (const piece of zipFile(entries)) pieces.push(piece);
  return Buffer.concat(pieces);
}
