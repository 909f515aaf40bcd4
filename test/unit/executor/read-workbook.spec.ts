import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnName } from '../../../src-main/domain/rows/export/sheet-xml.ts';
import type { JsonValue } from '../../../src-main/base/json-value.ts';
import { createTableWriter } from '../../../src-main/domain/rows/export/table-writer.ts';
import type { SheetAnswer, SheetJob } from '../../../src-main/executor/parser/sheet-protocol.ts';
import { readWorkbook } from '../../../src-main/executor/worker/sheet/read-workbook.ts';
import { workbook } from '../../../src-main/services/results/workbook.ts';
import { computingMs } from '../../builders/cpu-ratio.ts';
import { smallWorkbook, zipped } from '../../builders/small-workbook.ts';

const read = (bytes: Uint8Array, job: Partial<SheetJob> = {}): SheetAnswer =>
  readWorkbook({ types: [], ...job, bytes });

function rowsOf(answer: SheetAnswer): unknown[] {
  if (answer.type !== 'rows') throw new Error(JSON.stringify(answer));
  const text = Buffer.from(answer.lines).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

const remarksOf = (answer: SheetAnswer) =>
  answer.type === 'rows' ? answer.report.remarks.map(({ text: words, lines }) => [words, ...lines]) : [];

const problemOf = (answer: SheetAnswer): string => (answer.type === 'refused' ? answer.problem : answer.type);

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
const sheet = (rows: string, more: Partial<Parameters<typeof smallWorkbook>[0]> = {}): Promise<Buffer> =>
  smallWorkbook({ sheets: [{ name: 'Rows', rows }], ...more });

async function exported(
  names: readonly string[],
  rows: readonly (readonly (JsonValue | undefined)[])[],
): Promise<Buffer> {
  const writer = createTableWriter(names, { format: 'xlsx' });
  const xml = async function* (): AsyncGenerator<string> {
    yield await Promise.resolve(writer.start());
    for (const values of rows) yield writer.row(values);
    yield writer.end();
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of workbook(xml())) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a workbook that Rowbench exported', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '=1+1',
      '-5',
      '@x',
      '007',
      '_x0041_',
      '_x005F_',
      'a\r\nb\rc',
      ' x ',
      '',
      '\u0000',
      '\uD800',
      '<&>"',
    ),
  );
  const value = fc.oneof(
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
  );

  const header = { first: 1, last: 1 };
  /** True for a row that is not left out. */
  const isRow = (names: readonly string[], values: readonly unknown[]): boolean =>
    values.some((each) => each !== '') && names.some((name, at) => String(values[at]).trim() !== name);

  it('comes back with equal values, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          anyText.filter((name) => name !== '' && name === name.trim()),
          { minLength: 1, maxLength: 4 },
        ),
        fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { maxLength: 5 }),
        async (names, values) => {
          const rows = values.map((each) => each.slice(0, names.length)).filter((each) => isRow(names, each));
          const lines = rowsOf(read(await exported(names, rows), { read: { header } }));
          expect(JSON.stringify(lines)).toBe(JSON.stringify(rows.map((each) => objectOf(names, each))));
        },
      ),
      { numRuns: 150 },
    );
  });

  const objectOf = (names: readonly string[], values: readonly unknown[]): unknown =>
    JSON.parse(
      `{${names.map((name, at) => `${JSON.stringify(name)}:${JSON.stringify(values[at])}`).join(',')}}`,
    );

  it('leaves out cells of missing values, and has lists and objects as JSON', async () => {
    const bytes = await exported(
      ['a', 'b'],
      [
        [undefined, [1, { x: '=y' }]],
        [null, 1],
      ],
    );
    expect(rowsOf(read(bytes))).toEqual([{ b: '[1,{"x":"=y"}]' }, { b: 1 }]);
  });
});

describe('the cells of a workbook', () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0.00&quot; days&quot;"/>' +
    '<numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="167" formatCode="[$-407]h:mm AM/PM"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/></cellXfs>';
  const number = (value: number | string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;

  it('keep texts, numbers and booleans apart', async () => {
    const rows =
      row(text('a'), text('b'), text('c')) + row(text('007'), number('7.5'), '<c t="b"><v>1</v></c>');
    expect(rowsOf(read(await sheet(rows)))).toEqual([{ a: '007', b: 7.5, c: true }]);
  });

  it.each([
    [45292, 1, '2024-01-01'],
    [45292.5, 1, '2024-01-01T12:00:00'],
    [44927.604166666664, 2, '2023-01-01T14:30:00'],
    [45292, 3, '2024-01-01'],
    [45292.25, 4, 45292.25],
    [1.0868055555555556, 5, '26:05:00'],
    [0.5208333333, 6, '12:30:00'],
    [0.0000115856, 6, '00:00:01.001'],
    [1, 1, '1900-01-01'],
    [59, 1, '1900-02-28'],
    [60, 1, '1900-02-29'],
    [61, 1, '1900-03-01'],
    [2958465, 1, '9999-12-31'],
    [2958465.5, 2, '9999-12-31T12:00:00'],
    [2958465.99999, 2, '9999-12-31T23:59:59.136'],
    [2958465.9999999995, 2, '9999-12-31T23:59:59.999'],
    [2958466, 1, 2958466],
    [-1, 1, -1],
  ])('with the number %s and style %s are %s', async (value, style, expected) => {
    const bytes = await sheet(row(text('d')) + row(number(value, style)), { styles });
    expect(rowsOf(read(bytes))).toEqual([{ d: expected }]);
  });

  it.each([
    [1462, '1908-01-02'],
    [2957003.99999, '9999-12-31T23:59:59.136'],
    [2957004, 2957004],
  ])('count the days %s from 1904 where the workbook says so: %s', async (value, expected) => {
    const bytes = await sheet(row(text('d')) + row(number(value, 1)), { styles, is1904: true });
    expect(rowsOf(read(bytes))).toEqual([{ d: expected }]);
  });

  it('have the texts of runs without how they are pronounced', async () => {
    const texts =
      '<si><r><t>Hel</t></r><r><rPr><b/></rPr><t xml:space="preserve">lo </t></r><rPh sb="0" eb="1"><t>X</t></rPh></si><si><t/></si>';
    const rows = row(text('a'), text('b')) + row('<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>');
    expect(rowsOf(read(await sheet(rows, { texts })))).toEqual([{ a: 'Hello ', b: '' }]);
  });

  it('have the result of a formula', async () => {
    const rows =
      row(text('a'), text('b')) +
      row('<c><f>1+1</f><v>2</v></c>', '<c t="str"><f>"x"</f><v>x</v></c>') +
      row('<c t="e"><f>1/0</f><v>#DIV/0!</v></c>');
    expect(rowsOf(read(await sheet(rows)))).toEqual([{ a: 2, b: 'x' }, { a: '#DIV/0!' }]);
    const unsaved = await sheet(row(text('a')) + '<row r="2"><c r="A2"><f>1+1</f></c></row>');
    expect(rowsOf(read(unsaved, { types: [['a', 'string']] }))).toEqual([{}]);
    expect(remarksOf(read(unsaved))).toEqual([['1 formula without a result in the column "a"', 2]]);
    expect(problemOf(read(unsaved, { read: { strict: true } }))).toBe(
      'row 2: the formula in A2 has no result, which is an error with --strict',
    );
  });

  it('stay where they are, with gaps, merged areas, prefixes and blank rows', async () => {
    const rows =
      '<x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c><x:c r="D3" t="inlineStr"><x:is><x:t>b</x:t></x:is></x:c></x:row>' +
      '<row r="5"><c r="D5"><v>2</v></c></row><row r="6"/><row r="7"><c r="B7"><v>3</v></c><c r="C7" t="inlineStr"><is><t></t></is></c></row>';
    expect(rowsOf(read(await sheet(rows)))).toEqual([{ b: 2 }, { a: 3 }]);
  });

  it('take the types that the input node declares', async () => {
    const rows =
      row(text('zip'), text('n'), text('ok'), text('list')) +
      row(number(7), text(' 12 '), number(1), text('[1]')) +
      row();
    const types = [
      ['zip', 'string'],
      ['n', 'number'],
      ['ok', 'boolean'],
      ['list', 'array'],
    ] as const;
    expect(rowsOf(read(await sheet(rows), { types }))).toEqual([{ zip: '7', n: 12, ok: true, list: [1] }]);
    // The input node refuses such a row, and the others run.
    const wrong = await sheet(
      row(text('n')) + '<row r="2"><c r="A2" t="inlineStr"><is><t>x</t></is></c></row>',
    );
    expect(rowsOf(read(wrong, { types }))).toEqual([{ n: 'x' }]);
  });
});

describe('the limits of a workbook', () => {
  const inRow2 = (cell: string): string => `${row(text('a'))}<row r="2">${cell}</row>`;
  const inA2 = (value: string): string => inRow2(`<c r="A2" t="inlineStr"><is><t>${value}</t></is></c>`);
  const tooLong = 'the cell A2 has more than 32,767 characters';

  it('leave a text of 32,767 characters as it is, however XML spells them', async () => {
    const longest = 'x'.repeat(32_767);
    expect(rowsOf(read(await sheet(inA2(longest))))).toEqual([{ a: longest }]);
    expect(rowsOf(read(await sheet(inA2('&#120;'.repeat(32_767)))))).toEqual([{ a: longest }]);
    expect(rowsOf(read(await sheet(inA2('_x0078_'.repeat(32_767)))))).toEqual([{ a: longest }]);
  });

  it.each([
    ['a text', inA2('x'.repeat(32_768))],
    ['a text in pieces', inA2('x<!-- -->'.repeat(32_768))],
    ['the result of a formula', inRow2(`<c r="A2" t="str"><f>A1</f><v>${'x'.repeat(32_768)}</v></c>`)],
    ['a text that does not end for 20 MB', inA2('x'.repeat(20_000_000))],
  ])('refuse %s of more characters, and name the cell', async (_, rows) => {
    expect(problemOf(read(await sheet(rows)))).toBe(tooLong);
  });

  it('refuse a shared text of more characters only for a cell that has it', async () => {
    const texts = `<si><t>${'x'.repeat(32_768)}</t></si><si><t>short</t></si>`;
    expect(problemOf(read(await sheet(inRow2('<c r="A2" t="s"><v>0</v></c>'), { texts })))).toBe(tooLong);
    expect(rowsOf(read(await sheet(inRow2('<c r="A2" t="s"><v>1</v></c>'), { texts })))).toEqual([
      { a: 'short' },
    ]);
  });

  it('refuse a comment that does not end for 3 MB', async () => {
    const rows = `${row(text('a'))}<!--${'x'.repeat(3_000_000)}-->`;
    expect(problemOf(read(await sheet(rows)))).toBe(
      'the workbook is damaged: a text, tag or comment of its XML has more than 1 MB',
    );
  });

  it.each([
    ['yyyy'.padEnd(255, '"'), '2024-01-01'],
    ['yyyy'.padEnd(256, '"'), 45_292],
  ])('take a format of more than 255 characters for General: %#', async (format, expected) => {
    const code = format.replaceAll('"', '&quot;');
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`;
    expect(rowsOf(read(await sheet(inRow2('<c r="A2"><v>45292</v></c>'), { styles })))).toEqual([
      { a: expected },
    ]);
  });

  it('spend no time on long formats, nor on many', async () => {
    const brackets = (length: number): string =>
      `<numFmt numFmtId="164" formatCode="${'['.repeat(length)}"/>`;
    const styles = `<numFmts>${brackets(400_000)}${brackets(255).repeat(100_000)}</numFmts>`;
    const bytes = await sheet(inA2('x'), { styles });
    const before = process.cpuUsage();
    expect(rowsOf(read(bytes))).toEqual([{ a: 'x' }]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(4_000);
  });

  it('refuse more than 10,000 sheets, and names of more than 255 characters', async () => {
    const named = (sheets: readonly string[]): Promise<Buffer> =>
      zipped({
        'xl/workbook.xml': `<workbook><sheets>${sheets.map((name) => `<sheet name="${name}"/>`).join('')}</sheets></workbook>`,
      });
    const many = Array.from({ length: 10_000 }, (_, index) => `Sheet ${index}`);
    expect(problemOf(read(await named([...many, 'one more'])))).toBe('it has more than 10,000 sheets');
    expect(problemOf(read(await named(many), { read: { sheet: 'x' } }))).toMatch(
      /^it has no sheet "x"\. Its sheets are "Sheet 0", .*, "Sheet 19" and 9,980 more$/,
    );
    expect(problemOf(read(await named(['x'.repeat(256)])))).toBe(
      'it has a sheet whose name is longer than 255 characters',
    );
  });

  it.each(['0', '1048577', '2.5', 'x'])('refuse a row with the number %s', async (number) => {
    expect(problemOf(read(await sheet(`<row r="${number}">${text('a')}</row>`)))).toBe(
      'the workbook is damaged: a row has no number from 1 to 1,048,576',
    );
  });
});

describe('the header of a sheet', () => {
  const number = (value: number): string => `<c><v>${value}</v></c>`;
  const reportOf = (answer: SheetAnswer) => (answer.type === 'rows' ? answer.report : undefined);

  it('stands below title rows, which are counted', async () => {
    const answer = read(
      await sheet(
        `<row r="1">${text('Report')}</row><row r="3">${text('id')}${text('name')}</row>` +
          `<row r="4">${number(1)}${text('Ada')}</row><row r="7">${number(2)}${text('Bob')}</row>`,
      ),
    );
    expect(rowsOf(answer)).toEqual([
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ]);
    expect(remarksOf(answer)).toEqual([
      ['header in row 3'],
      ['2 rows above left out'],
      ['2 empty rows left out', 5],
    ]);
    expect(reportOf(answer)).toMatchObject({
      readAs: { header: { first: 3, last: 3 } },
      columns: ['id', 'name'],
    });
    expect(answer).toMatchObject({
      firstRows: [['Report'], [], ['id', 'name'], ['1', 'Ada'], [], [], ['2', 'Bob']],
    });
  });

  it('may have columns of one name and columns without a name', async () => {
    const answer = read(
      await sheet(
        row(text('id'), text('Notes'), text(''), text('Notes')) +
          row(number(1), text('a'), number(5), text('b')),
      ),
    );
    expect(Buffer.from((answer as { lines: Uint8Array }).lines).toString()).toBe(
      '{"id":1,"Notes":"a","column C":5,"Notes (2)":"b"}\n',
    );
    expect(remarksOf(answer)).toEqual([
      ['1 column with the name of another: "Notes (2)"'],
      ['1 column without a name: "column C"'],
    ]);
  });

  it('may be absent', async () => {
    const answer = read(await sheet(row(number(1), number(2)) + row(number(3), number(4))));
    expect(rowsOf(answer)).toEqual([
      { 'column A': 1, 'column B': 2 },
      { 'column A': 3, 'column B': 4 },
    ]);
    expect(reportOf(answer)?.readAs).toEqual({ header: 'none' });
  });

  it('may be absent below title rows, which no option says', async () => {
    const values = (first: number): string => row(number(first), number(first + 1), number(first + 2));
    const answer = read(await sheet(row(text('Report')) + values(1) + values(4)));
    expect(rowsOf(answer)).toEqual([
      { 'column A': 1, 'column B': 2, 'column C': 3 },
      { 'column A': 4, 'column B': 5, 'column C': 6 },
    ]);
    expect(reportOf(answer)?.readAs).toEqual({});
  });

  it('is left out where it comes again', async () => {
    const header = row(text('id'), text('name'));
    const answer = read(await sheet(header + row(number(1), text('x')) + header + row(number(2), text('y'))));
    expect(rowsOf(answer)).toHaveLength(2);
    expect(remarksOf(answer)).toEqual([['1 row equal to the header left out', 3]]);
  });

  it('gets a column for a value far below', async () => {
    const rows = Array.from({ length: 1500 }, (_, at) => row(number(at), text('x')));
    const answer = read(
      await sheet(
        row(text('id'), text('name')) +
          rows.join('') +
          row(number(1), text('y'), text(''), number(7)) +
          row(number(1), text('z'), number(8)),
      ),
    );
    expect(rowsOf(answer).slice(-2)).toEqual([
      { id: 1, name: 'y', 'column D': 7 },
      { id: 1, name: 'z', 'column C': 8 },
    ]);
    expect(remarksOf(answer)).toEqual([['2 columns without a name: "column D", …', 1502, 1503]]);
  });

  it('that the options name is taken', async () => {
    const bytes = await sheet(
      row(text('a'), text('b')) + row(text('c'), text('d')) + row(text('x'), text('y')),
    );
    expect(rowsOf(read(bytes, { read: { header: { first: 1, last: 2 } } }))).toEqual([
      { 'a c': 'x', 'b d': 'y' },
    ]);
    expect(problemOf(read(bytes, { read: { header: { first: 9, last: 9 } } }))).toMatch(
      /^row 9: there is no header here/,
    );
  });

  it('is refused with a name of more than 1000 characters, or with names of more than 500,000', async () => {
    expect(problemOf(read(await sheet(row(text('x'.repeat(1001))))))).toMatch(
      /^row 1: the name of a column is longer than 1000 characters/,
    );
    const wide = row(...Array.from({ length: 600 }, (_, at) => text(`${'x'.repeat(900)}${at}`)));
    expect(problemOf(read(await sheet(wide)))).toContain(
      'the names of its columns have more than 500,000 characters',
    );
  });

  it('may have 16,384 columns without a name, in little time and with few remarks', async () => {
    const cellsOf = (number: number): string =>
      Array.from({ length: 16_384 }, (_, at) => `<c r="${columnName(at)}${number}"><v>${at}</v></c>`).join(
        '',
      );
    const rows = [2, 3].map((number) => `<row r="${number}">${cellsOf(number)}</row>`);
    const bytes = await sheet(`<row r="1">${text('a')}</row>${rows.join('')}`);
    // Columns of the second row have their first values behind the rows that decide the header.
    const late = await sheet(
      Array.from({ length: 1000 }, (_, at) => `<row r="${at + 1}">${text(`t${at}`)}</row>`).join('') +
        `<row r="1001">${cellsOf(1001)}</row>`,
    );
    let answers: SheetAnswer[] = [];
    expect(
      computingMs(() => {
        answers = [read(bytes), read(late)];
      }),
    ).toBeLessThan(5000);
    for (const answer of answers) {
      expect(remarksOf(answer).length).toBeLessThan(10);
      expect(reportOf(answer)?.columns).toHaveLength(16_384);
    }
  });
});

describe('the sheets of a workbook', () => {
  const sheets = [
    { name: 'Old', rows: row(text('a')) + row(text('old')), state: 'hidden' as const },
    { name: 'Leads &amp; more', rows: row(text('a')) + row(text('new')) },
  ];

  it('are chosen by name, else the first that is not hidden', async () => {
    const bytes = await smallWorkbook({ sheets });
    expect(rowsOf(read(bytes, { mustName: true }))).toEqual([{ a: 'new' }]);
    expect(rowsOf(read(bytes, { read: { sheet: 'Old' } }))).toEqual([{ a: 'old' }]);
    expect(read(bytes)).toMatchObject({
      sheet: 'Leads & more',
      sheets: [
        { name: 'Old', isHidden: true },
        { name: 'Leads & more', isHidden: false },
      ],
    });
    expect(problemOf(read(bytes, { read: { sheet: 'New' } }))).toBe(
      'it has no sheet "New". Its sheets are "Old", "Leads & more"',
    );
  });

  it('must be named if several are visible and the caller says so', async () => {
    const bytes = await smallWorkbook({ sheets: sheets.map(({ name, rows }) => ({ name, rows })) });
    expect(read(bytes, { mustName: true })).toMatchObject({ type: 'several' });
    expect(rowsOf(read(bytes))).toEqual([{ a: 'old' }]);
  });
});

describe('a file that is no workbook, or a hostile one', () => {
  const compound = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]);

  it.each([
    ['text', Buffer.from('a,b\n1,2\n'), 'it is not an Excel workbook. Save it as .xlsx or CSV'],
    ['nothing', Buffer.alloc(0), 'not an Excel workbook'],
    ['an old workbook', compound, 'old Excel workbook (.xls). Save it as .xlsx'],
    [
      'an encrypted workbook',
      Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]),
      'protected with a password',
    ],
    ['the mark of a ZIP file alone', Buffer.from('PK\u0003\u0004'), 'damaged'],
  ])('is refused: %s', (_, bytes, problem) => {
    expect(problemOf(read(bytes))).toContain(problem);
  });

  it.each([
    [{ 'a.txt': 'x' }, 'a ZIP file, but not an Excel workbook'],
    [{ 'content.xml': '<x/>' }, 'an OpenDocument file'],
    [{ 'xl/workbook.bin': 'x' }, 'a binary workbook (.xlsb)'],
    [{ 'xl/workbook.xml': '<workbook/>' }, 'it has no sheet with cells'],
    [{ 'xl/workbook.xml': '<workbook><sheets>' }, 'its XML has errors'],
    [
      { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><workbook>&e;</workbook>' },
      'has a document type',
    ],
  ])('is refused: %j', async (contents, problem) => {
    expect(problemOf(read(await zipped(contents)))).toContain(problem);
  });

  it('is refused wherever it was cut, and never read in part', async () => {
    const bytes = await sheet(row(text('a')) + row(text('b')));
    for (let length = 4; length < bytes.length; length += 7)
      expect(problemOf(read(bytes.subarray(0, length)))).toContain('damaged');
  });

  it('is refused or read, but never crashes the reader, whichever byte was changed', async () => {
    const bytes = await sheet(row(text('a')) + row(text('b')));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(['rows', 'refused']).toContain(read(changed).type);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused when it unpacks to more than 200 MB, whatever sizes it claims', async () => {
    const bytes = await zipped({ 'xl/workbook.xml': 'x' });
    const packed = deflateRawSync(Buffer.alloc(201_000_000, 32));
    expect(problemOf(read(withContent(bytes, packed)))).toBe(
      'it takes more than 200 MB when it is unpacked. Save the sheet as CSV, then try again',
    );
  });

  /** The only entry of the file holds these packed bytes; its sizes and checksum stay as they were. */
  function withContent(file: Buffer, packed: Buffer): Buffer {
    const start = 30 + file.readUInt16LE(26);
    const directoryAt = file.readUInt32LE(file.length - 6);
    const directory = Buffer.from(file.subarray(directoryAt));
    directory.writeUInt32LE(packed.length, 20);
    directory.writeUInt32LE(start + packed.length, directory.length - 6);
    return Buffer.concat([file.subarray(0, start), packed, directory]);
  }

  it('does not bring entities of its own', async () => {
    const bytes = await sheet(row(text('a')) + row(text('&e;&amp;&#65;&lt;')));
    expect(rowsOf(read(bytes))).toEqual([{ a: '&e;&A<' }]);
  });
});

describe('the parts of a workbook', () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const sheetOf = (rows: string): string => `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`;
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`;
  const styles = `<styleSheet ${main}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`;
  const date = row(text('d')) + row('<c s="1"><v>45000</v></c>');
  const workbookOf = (names: readonly string[]): string =>
    `<workbook ${main}><sheets>${names.map((name) => `<sheet name="${name}" id="${name}"/>`).join('')}</sheets></workbook>`;

  it('have names that are equal without regard to case, and backslashes', async () => {
    const bytes = await zipped({
      'XL/Workbook.xml': workbookOf(['S']),
      'xl\\_rels\\workbook.xml.rels': `<Relationships>${relation('S', 'worksheet', './worksheets/../Worksheets/Sheet1.xml')}${relation('y', 'styles', 'styles.xml')}</Relationships>`,
      'xl/worksheets/sheet1.XML': sheetOf(date),
      'xl/Styles.xml': styles,
    });
    expect(rowsOf(read(bytes))).toEqual([{ d: '2023-03-15' }]);
  });

  it('without the styles that they name refuse a cell that has one', async () => {
    const bytes = await zipped({
      'xl/workbook.xml': workbookOf(['S']),
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation('S', 'worksheet', 's.xml')}${relation('y', 'styles', 'gone.xml')}</Relationships>`,
      'xl/s.xml': sheetOf(date),
    });
    expect(problemOf(read(bytes))).toMatch(/^the cell A2 has a style that is missing in the workbook/);
  });

  it('that are dialogs or charts are passed over, with a remark', async () => {
    const bytes = await zipped({
      'xl/workbook.xml': workbookOf(['Dialog', 'Rows']),
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation('Dialog', 'dialogsheet', 'd.xml')}${relation('Rows', 'worksheet', 's.xml')}</Relationships>`,
      'xl/d.xml': '<dialogsheet/>',
      'xl/s.xml': sheetOf(row(text('a')) + row(text('x'))),
    });
    const answer = read(bytes, { mustName: true });
    expect(rowsOf(answer)).toEqual([{ a: 'x' }]);
    expect(answer).toMatchObject({ sheets: [{ name: 'Rows' }] });
    expect(remarksOf(answer)).toEqual([['sheet "Rows"']]);
    expect(problemOf(read(bytes, { read: { sheet: 'Dialog' } }))).toBe(
      'the sheet "Dialog" is a chart or a dialog, without cells. Choose another sheet',
    );
  });
});
