import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  feedField,
  fitRows,
  readColumns,
  renameFields,
  typeRows,
} from '../../../../src-renderer/state/entry/column-types.ts';
import { EncodingProblem, readRowsFile } from '../../../../src-renderer/state/entry/read-rows-file.ts';
import { textEncodingOf } from '../../../../src-renderer/state/entry/text-encoding.ts';

const read = (name: string, content: string | Uint8Array<ArrayBuffer>, maxRows = 1_000) =>
  readRowsFile(new File([content], name), { maxRows });

function utf16(text: string, isBig: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), !isBig);
  return new Uint8Array(view.buffer);
}

describe('a file of rows', () => {
  it.each([
    ['a.csv', 'name,age\nAda,36\n', 'csv'],
    ['a.tsv', 'name\tage\nAda\t36\n', 'tsv'],
    ['a.csv', 'name;age\r\nAda;36\r\n', 'csv'],
    ['a.txt', 'name|age\nAda|36', 'csv'],
    ['a.json', '[{"name":"Ada","age":"36"}]', 'json'],
    ['a.json', '{"rows":[{"name":"Ada","age":"36"}]}', 'json'],
    ['a.ndjson', '{"name":"Ada","age":"36"}\n', 'ndjson'],
    ['rows', '{"name":"Ada","age":"36"}\n', 'ndjson'],
  ])('%s with %j is understood', async (name, text, format) => {
    const file = await read(name, text);
    expect(file).toMatchObject({ format, encoding: 'utf-8' });
    expect(file.rows).toEqual([{ name: 'Ada', age: '36' }]);
  });

  it('keeps cells with delimiters, quotes and line breaks whole', async () => {
    const { rows } = await read('a.csv', 'a,b\n"x, ""y""\nz",2\n');
    expect(rows).toEqual([{ a: 'x, "y"\nz', b: '2' }]);
  });

  it('is read in UTF-8 with a mark, and in UTF-16 with and without one', async () => {
    const text = 'name\nعائشة\n';
    const expected = [{ name: 'عائشة' }];
    const inUtf8 = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
    expect(await read('a.csv', inUtf8)).toMatchObject({ encoding: 'utf-8', rows: expected });
    for (const isBig of [false, true]) {
      const encoding = isBig ? 'utf-16be' : 'utf-16le';
      expect(await read('a.csv', utf16(`\ufeff${text}`, isBig))).toMatchObject({ encoding, rows: expected });
      expect(await read('a.csv', utf16(text, isBig))).toMatchObject({ encoding, rows: expected });
    }
  });

  it.each<[string, string, string]>([
    ['a.csv', 'a,b\n1\n', 'line 2: 1 cell, but the first line names 2'],
    ['a.csv', 'a,a\n1,2\n', 'line 1: two columns are named "a"'],
    ['a.csv', 'a\n"open\n', 'line 2, column 1: nothing closes the quote'],
    ['a.json', '[{"a":1},\n{"a":}]', 'line 2, column 6'],
    ['a.json', '[1]', 'a row must be an object'],
    ['a.ndjson', '{"a":1}\nnope\n', 'line 2, column 1'],
    ['a.csv', 'a,b\n', 'There are no rows in it'],
  ])('%s with %j says what is wrong and where', async (name, text, words) => {
    await expect(read(name, text)).rejects.toThrow(words);
  });

  it('in another encoding says so, and can be read in it', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('name\n'), 0x4a, 0xf6, 0x72, 0x67]);
    await expect(read('a.csv', bytes)).rejects.toThrow(EncodingProblem);
    const again = readRowsFile(new File([bytes], 'a.csv'), { maxRows: 10, encoding: 'windows-1252' });
    expect((await again).rows).toEqual([{ name: 'Jörg' }]);
  });

  it('that arrives in one large piece is parsed in small ones, between which reading can be stopped', async () => {
    const file = new File([], 'a.csv');
    const bytes = new TextEncoder().encode(`a,b\n${'1,some text\n'.repeat(50_000)}`);
    const stopping = new AbortController();
    file.stream = () => {
      setTimeout(() => stopping.abort());
      return new ReadableStream({
        start: (controller) => {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    };
    const shares: number[] = [];
    const { signal } = stopping;
    await expect(
      readRowsFile(file, { maxRows: 100_000, signal, onProgress: (share) => shares.push(share) }),
    ).rejects.toThrow();
    expect(shares).toEqual([]);
  });

  it('that is a workbook is read by the server, its sheet named', async () => {
    const requested: (string | undefined)[] = [];
    const sheets = [{ name: 'Leads', isHidden: false }];
    const file = new File([Uint8Array.of(0x50, 0x4b, 3, 4)], 'book.csv');
    const book = await readRowsFile(file, {
      maxRows: 10,
      sheet: 'Leads',
      readSheet: (_, sheet) => {
        requested.push(sheet);
        const lines = `${JSON.stringify({ sheets, sheet: 'Leads' })}\n{"zip":"007","n":7}\n`;
        return Promise.resolve(new Blob([lines]).stream());
      },
    });
    expect(requested).toEqual(['Leads']);
    expect(book).toEqual({
      name: 'book.csv',
      format: 'xlsx',
      sheets,
      sheet: 'Leads',
      rows: [{ zip: '007', n: 7 }],
    });
  });

  it('that is a workbook gives declared fields their types and leaves other cells as they are', () => {
    const rows = [{ Zip: 7, n: '12', other: '5' }];
    const fields = [
      { name: 'zip', type: 'string' },
      { name: 'n', type: 'number' },
    ] as const;
    const columns = readColumns(['Zip', 'n', 'other'], { rows, fields });
    expect(fitRows(rows, columns)).toEqual([{ zip: '7', n: 12, other: '5' }]);
  });

  it.each([
    [[0x1f, 0x8b, 8], 'gzip'],
    [[0x25, 0x50, 0x44, 0x46], 'PDF'],
    [[1, 2, 0, 3], 'not a text file'],
  ])('that is no text is told by its first bytes: %j', (bytes, words) => {
    expect(() => textEncodingOf(Uint8Array.from(bytes))).toThrow(words);
  });

  it('with more rows than a page holds is refused, however it is cut', async () => {
    await expect(read('a.ndjson', '{}\n'.repeat(11), 10)).rejects.toThrow('more than 10 rows');
    expect((await read('a.ndjson', '{}\n'.repeat(10), 10)).rows).toHaveLength(10);
  });

  it('that nobody waits for any more is not read on', async () => {
    const stopped = AbortSignal.abort();
    const reading = readRowsFile(new File(['{}\n'], 'a.ndjson'), { maxRows: 10, signal: stopped });
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('columns of a table', () => {
  it('have the type that their cells have in common', () => {
    const rows = [
      { n: ' 1', zip: '007' },
      { n: '2.5', zip: '12' },
    ];
    const columns = readColumns(['n', 'zip'], { rows, fields: [] });
    expect(columns.map(({ type }) => type)).toEqual(['number', 'string']);
  });

  it('have the type that the input node says', () => {
    const rows = [{ zip: '123', age: 'old' }];
    const fields = [
      { name: 'zip', type: 'string' },
      { name: 'age', type: 'number' },
    ] as const;
    const columns = readColumns(['zip', 'age'], { rows, fields });
    expect(columns).toEqual([
      { name: 'zip', target: 'zip', type: 'string', isDeclared: true },
      { name: 'age', target: 'age', type: 'number', isDeclared: true },
    ]);
    expect(typeRows(rows, columns)).toEqual({
      rows: [{ zip: '123', age: 'old' }],
      troubles: [{ row: 1, column: 'age', text: '"old" is not a number' }],
      total: 1,
    });
  });

  it('lose no text: what cannot be read stays as it was, and an empty cell leaves the field out', () => {
    const cell = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), (cells) => {
        const rows = cells.map((a) => ({ a }));
        const { rows: typed } = typeRows(rows, [
          { name: 'a', target: 'a', type: 'string', isDeclared: false },
        ]);
        expect(typed).toEqual(cells.map((a) => (a === '' ? {} : { a })));
      }),
    );
  });

  it('may be named __proto__', () => {
    const row = JSON.parse('{"__proto__":"1"}') as { [name: string]: string };
    const column = { name: '__proto__', target: '__proto__', type: 'number', isDeclared: false } as const;
    expect(JSON.stringify(typeRows([row], [column]).rows[0])).toBe('{"__proto__":1}');
  });
});

describe('columns with other names than the workflow inputs', () => {
  const rows = [{ 'Full name': 'Ada', 'E-Mail': 'a@b.c', Size: '12k', email: '' }];
  const fields = [
    { name: 'name', type: 'string' },
    { name: 'email', type: 'string' },
    { name: 'employees', type: 'number' },
  ] as const;
  const targets = (columns: ReturnType<typeof readColumns>) =>
    Object.fromEntries(columns.map(({ name, target }) => [name, target]));

  it('feed the inputs that they resemble, and are extra columns otherwise', () => {
    const columns = readColumns(['Full name', 'E-Mail', 'Size'], { rows, fields });
    expect(targets(columns)).toEqual({ 'Full name': 'name', 'E-Mail': 'email', Size: 'Size' });
    expect(typeRows(rows, columns).rows).toEqual([{ name: 'Ada', email: 'a@b.c', Size: '12k' }]);
  });

  it('feed the input that the user chooses, by its type', () => {
    const table = { rows, fields };
    const columns = readColumns(['Full name', 'Size'], table);
    const fed = feedField(columns, { field: 'employees', name: 'Size' }, table);
    expect(typeRows(rows, fed)).toMatchObject({
      rows: [{ name: 'Ada', employees: '12k' }],
      troubles: [{ row: 1, column: 'employees', text: '"12k" is not a number' }],
    });
    const freed = feedField(fed, { field: 'employees', name: undefined }, table);
    expect(freed).toEqual(columns);
  });

  it('are left out if they have the name of an input that another column feeds', () => {
    const table = { rows, fields };
    const columns = readColumns(['E-Mail', 'email'], table);
    expect(targets(columns)).toEqual({ 'E-Mail': 'E-Mail', email: 'email' });
    const fed = feedField(columns, { field: 'email', name: 'E-Mail' }, table);
    expect(targets(fed)).toEqual({ 'E-Mail': 'email', email: undefined });
    expect(targets(feedField(fed, { field: 'email', name: undefined }, table))).toEqual({
      'E-Mail': 'E-Mail',
      email: undefined,
    });
  });

  it('rename the fields of JSON rows without changing their values', () => {
    const json = [{ 'Full name': 1, more: null }, { more: [] }];
    const columns = readColumns(['Full name', 'more'], { rows: json, fields });
    expect(renameFields(json, columns)).toEqual([{ name: 1, more: null }, { more: [] }]);
    const plain = readColumns(['more'], { rows: json, fields });
    expect(renameFields(json, plain)).toBe(json);
  });
});
