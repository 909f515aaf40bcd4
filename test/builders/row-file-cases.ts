// Small files as people bring them: each with its rows and the line of remarks, which are the same wherever it is read.
import { gzipSync } from 'node:zlib';
import { smallWorkbook } from './small-workbook.ts';

export type RowFileCase = {
  readonly title: string;
  readonly file: string;
  readonly content: string | Uint8Array;
  /** The outputs of a workflow that gives its rows; null for a row that fails. */
  readonly rows: readonly (Readonly<Record<string, unknown>> | null)[];
  /** The fields that the input node declares, as YAML; absent: none. */
  readonly fields?: string;
  /** Options of reading, in their written form; absent: none. */
  readonly read?: Readonly<Record<string, string>>;
  /** The remarks behind the name of the file; empty: none. */
  readonly remarks: string;
  /** The choice that the command line and tests name at the end of the remarks; absent: none. */
  readonly choice?: { readonly flags: string; readonly keys: string };
};

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

type Written = string | number | { readonly formula: string };

/** A workbook of one sheet. @param rows cells by the number of their row */
function workbookOf(rows: Readonly<Record<number, readonly (Written | undefined)[]>>): Promise<Uint8Array> {
  const cellOf = (value: Written | undefined, column: number, row: string): string => {
    if (value === undefined) return '';
    const address = `${String.fromCodePoint(65 + column)}${row}`;
    if (typeof value === 'string') return `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
    return `<c r="${address}">${typeof value === 'number' ? `<v>${value}</v>` : `<f>${value.formula}</f>`}</c>`;
  };
  const xml = Object.entries(rows).map(
    ([row, cells]) => `<row r="${row}">${cells.map((cell, at) => cellOf(cell, at, row)).join('')}</row>`,
  );
  return smallWorkbook({ sheets: [{ name: 'Rows', rows: xml.join('') }] });
}

export const rowFileCases: readonly RowFileCase[] = [
  {
    title: 'a line with fewer cells',
    file: 'short.csv',
    content: 'id,name,note\n1,Ada,x\n2,Bob\n',
    rows: [
      { id: '1', name: 'Ada', note: 'x' },
      { id: '2', name: 'Bob', note: '' },
    ],
    remarks: '1 line has fewer cells than the header (3)',
  },
  {
    title: 'lines with more cells',
    file: 'long.csv',
    content: 'id,name\n1,Ada\n2,Bob,Ulm\n3,Cy,\n',
    rows: [
      { id: '1', name: 'Ada' },
      { id: '2', name: 'Bob', 'column 3': 'Ulm' },
      { id: '3', name: 'Cy' },
    ],
    remarks: '2 lines have more cells than the header (3, 4)',
  },
  {
    title: 'a file without the lines that have more cells',
    file: 'skip.csv',
    content: 'id,name\n1,Ada\n2,Bob,Ulm\n3\n',
    read: { skip: 'long' },
    rows: [
      { id: '1', name: 'Ada' },
      { id: '3', name: '' },
    ],
    remarks:
      '1 line with more cells than the header left out (3); 1 line has fewer cells than the header (4)',
  },
  {
    title: 'a quote that opens and never closes',
    file: 'stray.csv',
    content: 'id,code,item\n1,A1,"Lamp, small"\n2,"B2,"Desk, wide"\n3,C3,"Bed, old"\n',
    rows: [
      { id: '1', code: 'A1', item: 'Lamp, small' },
      { id: '2', code: '"B2', item: 'Desk, wide' },
      { id: '3', code: 'C3', item: 'Bed, old' },
    ],
    remarks: '1 quote read as text (3)',
  },
  {
    title: 'a missing comma before a quoted cell',
    file: 'shifted.csv',
    content: 'id,price,item,note\n1,$5,"Lamp, small",a\n2,$7"Desk, wide",b\n3,$9,"Bed, old",c\n',
    rows: [
      { id: '1', price: '$5', item: 'Lamp, small', note: 'a' },
      { id: '2', price: '$7', item: 'Desk, wide', note: 'b' },
      { id: '3', price: '$9', item: 'Bed, old', note: 'c' },
    ],
    remarks: '1 line without a delimiter beside a quote repaired (3)',
  },
  {
    title: 'columns without a name',
    file: 'nameless.csv',
    content: '\ufeff,id,name,\n0,7,Ada,x\n1,8,Bob,\n',
    rows: [
      { 'column 1': '0', id: '7', name: 'Ada', 'column 4': 'x' },
      { 'column 1': '1', id: '8', name: 'Bob', 'column 4': '' },
    ],
    remarks: '2 columns without a name: "column 1", "column 4"',
  },
  {
    title: 'blanks before quotes',
    file: 'blanks.csv',
    content: 'id, "name", "city"\n1, "Ada, L.", "Bonn"\n2, "Bob", "Ulm"\n',
    rows: [
      { id: '1', name: 'Ada, L.', city: 'Bonn' },
      { id: '2', name: 'Bob', city: 'Ulm' },
    ],
    remarks: '',
  },
  {
    title: 'decimal commas in a column of numbers',
    file: 'commas.csv',
    fields: '{ amount: { type: number } }',
    content: 'kunde;amount\nA;1.234,50\nB;7,5\nC;12\n',
    rows: [
      { kunde: 'A', amount: 1234.5 },
      { kunde: 'B', amount: 7.5 },
      { kunde: 'C', amount: 12 },
    ],
    remarks: 'amount: 2 values with decimal comma read as numbers',
  },
  {
    title: 'a cell that is no number',
    file: 'bad.csv',
    fields: '{ amount: { type: number } }',
    content: 'id,amount\n1,5\n2,k.A.\n3,7\n',
    rows: [{ id: '1', amount: 5 }, null, { id: '3', amount: 7 }],
    remarks: '',
  },
  {
    title: 'numbers with a comma that can be read in two ways',
    file: 'open.csv',
    fields: '{ amount: { type: number } }',
    content: 'id;amount\n1;1,234\n2;5\n',
    rows: [null, { id: '2', amount: 5 }],
    remarks: 'amount: 1 value like "1,234" can be read in two ways and fails its row (2)',
    choice: { flags: '--decimal , or --decimal .', keys: '`decimal: ","` or `decimal: "."`' },
  },
  {
    title: 'title lines above the header',
    file: 'titles.csv',
    content: 'Report;;\n;;\nid;name;age\n1;Ada;36\n2;Bob;41\n',
    rows: [
      { id: '1', name: 'Ada', age: '36' },
      { id: '2', name: 'Bob', age: '41' },
    ],
    remarks: 'header in line 3, 2 lines above left out',
  },
  {
    title: 'columns with one name',
    file: 'names.csv',
    content: 'id,Notes,Notes\n1,a,b\n',
    rows: [{ id: '1', Notes: 'a', 'Notes (2)': 'b' }],
    remarks: '1 column with the name of another: "Notes (2)"',
  },
  {
    title: 'UTF-8 with a line of Windows-1252',
    file: 'mixed.csv',
    content: Buffer.concat([Buffer.from('id,name\n1,Łódź\n'), latin1('2,J\xf6rg \x96 x\n')]),
    rows: [
      { id: '1', name: 'Łódź' },
      { id: '2', name: 'Jörg – x' },
    ],
    remarks: '1 line is Windows-1252 (3)',
  },
  {
    title: 'UTF-16 without a byte order mark',
    file: 'utf16.csv',
    content: Buffer.from('id,name\n1,Ada\n2,Bob\n', 'utf16le'),
    rows: [
      { id: '1', name: 'Ada' },
      { id: '2', name: 'Bob' },
    ],
    remarks: 'read as UTF-16',
  },
  {
    title: 'lines of delimiters alone',
    file: 'empty.csv',
    content: 'id;name\n1;Ada\n;\n;\n2;Bob\n',
    rows: [
      { id: '1', name: 'Ada' },
      { id: '2', name: 'Bob' },
    ],
    remarks: '2 empty lines left out (3, 4)',
  },
  {
    title: 'the line that Excel writes',
    file: 'sep.csv',
    content: 'sep=;\nid;price\n1;1,50\n',
    rows: [{ id: '1', price: '1,50' }],
    remarks: 'delimiter ";" as line 1 says',
  },
  {
    title: 'no header line',
    file: 'values.csv',
    content: '399.19,74.38\n401.12,73.73\n403.05,399.19\n',
    rows: [
      { 'column 1': '399.19', 'column 2': '74.38' },
      { 'column 1': '401.12', 'column 2': '73.73' },
      { 'column 1': '403.05', 'column 2': '399.19' },
    ],
    remarks: 'no header line: line 1 has values',
  },
  {
    title: 'apostrophes as quotes',
    file: 'apostrophes.csv',
    content: "id,name,note\n1,'Lamp, small','it''s new'\n2,'Desk, wide','old'\n",
    rows: [
      { id: '1', name: 'Lamp, small', note: "it's new" },
      { id: '2', name: 'Desk, wide', note: 'old' },
    ],
    remarks: "quotes '",
  },
  {
    title: 'columns named by years',
    file: 'years.csv',
    content: 'name,2016,2015\nAda,1,2\n',
    rows: [{ name: 'Ada', '2016': '1', '2015': '2' }],
    remarks: '',
  },
  {
    title: 'a file packed with gzip',
    file: 'packed.csv.gz',
    content: gzipSync('id,name\n1,Ada\n'),
    rows: [{ id: '1', name: 'Ada' }],
    remarks: 'unpacked from gzip',
  },
  {
    title: 'backslashes before quotes',
    file: 'backslash.csv',
    content: 'id,item,size\n1,"Table \\"round\\", big",48\n2,"Bed",90\n',
    rows: [
      { id: '1', item: 'Table "round", big', size: '48' },
      { id: '2', item: 'Bed', size: '90' },
    ],
    remarks: 'quotes are escaped by \\"',
  },
  {
    title: 'a list of JSON',
    file: 'rows.json',
    content: '[{"id":1,"name":"Ada"}]',
    rows: [{ id: 1, name: 'Ada' }],
    remarks: '',
  },
  {
    title: 'a workbook with title rows',
    file: 'title.xlsx',
    content: await workbookOf({ 1: ['Report of May'], 3: ['id', 'name'], 4: [1, 'Ada'], 5: [2, 'Bob'] }),
    rows: [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ],
    remarks: 'header in row 3, 2 rows above left out',
  },
  {
    title: 'a workbook with a nameless and two equal columns',
    file: 'names.xlsx',
    content: await workbookOf({ 1: ['id', 'Notes', undefined, 'Notes'], 2: [1, 'a', 5, 'b'] }),
    rows: [{ id: 1, Notes: 'a', 'column C': 5, 'Notes (2)': 'b' }],
    remarks: '1 column with the name of another: "Notes (2)"; 1 column without a name: "column C"',
  },
  {
    title: 'a workbook with a formula without a result',
    file: 'formula.xlsx',
    content: await workbookOf({ 1: ['id', 'a', 'sum'], 2: [1, 5, { formula: 'B2*2' }], 3: [2, 6, 12] }),
    rows: [
      { id: 1, a: 5 },
      { id: 2, a: 6, sum: 12 },
    ],
    remarks: '1 formula without a result in the column "sum" (2)',
  },
];
