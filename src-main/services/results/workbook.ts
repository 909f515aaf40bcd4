// An Excel workbook with one sheet, as a ZIP file that is written while its sheet is made.
import { sheetStyles, xmlHeader } from '../../domain/rows/export/sheet-xml.ts';
import { zipFile } from './zip-file.ts';

const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes =
  `${xmlHeader}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;

const packageLinks =
  `${xmlHeader}<Relationships xmlns="${relationships}">` +
  `<Relationship Id="rId1" Type="${officeDocument}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookLinks =
  `${xmlHeader}<Relationships xmlns="${relationships}">` +
  `<Relationship Id="rId1" Type="${officeDocument}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${officeDocument}/styles" Target="styles.xml"/></Relationships>`;

const workbookPart =
  `${xmlHeader}<workbook xmlns="${main}" xmlns:r="${officeDocument}">` +
  '<sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>';

/** @param sheet its XML, in pieces */
export const workbook = (sheet: AsyncIterable<string>): AsyncGenerator<Uint8Array> =>
  zipFile([
    { name: '[Content_Types].xml', content: contentTypes },
    { name: '_rels/.rels', content: packageLinks },
    { name: 'xl/workbook.xml', content: workbookPart },
    { name: 'xl/_rels/workbook.xml.rels', content: workbookLinks },
    { name: 'xl/styles.xml', content: sheetStyles },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
  ]);
