import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ReadReport } from '../../../src-main/domain/rows/files/read-remarks.ts';
import { readRows, type ReadSheet } from '../../../src-main/files/read-rows.ts';
import type { ColumnTypes } from '../../../src-main/domain/rows/typed-cell.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

/** A workbook of a test is its rows as text behind the mark of a ZIP file. */
const readSheet: ReadSheet = (bytes) =>
  Promise.resolve({ lines: bytes.subarray(4), report: { readAs: {}, remarks: [] } });

async function readFile(
  name: string,
  content: string | Uint8Array,
  options: Partial<Parameters<typeof readRows>[1]> = {},
) {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, content);
  const chunks: Uint8Array[] = [];
  let report: ReadReport | undefined;
  const onReport = (read: ReadReport): void => {
    report = read;
  };
  for await (const chunk of readRows(file, { types: new Map(), readSheet, onReport, ...options }))
    chunks.push(chunk);
  return {
    rows: Buffer.concat(chunks).toString('utf8'),
    remarks: report?.remarks.map(({ text, lines }) => [text, ...lines]),
  };
}

const rowsOf = async (name: string, content: string | Uint8Array, types: ColumnTypes = new Map()) =>
  (await readFile(name, content, { types })).rows;

describe('a rows file', () => {
  it.each([
    ['a.json', '[{"n":1},{"n":2}]'],
    ['a.json', '{"rows":[{"n":1},{"n":2}]}'],
    ['a.ndjson', '{"n":1}\n{"n":2}\n'],
    ['a.csv', 'n\n1\n2\n'],
    ['a.tsv', 'n\r\n1\r\n2'],
    ['a', '[{"n":1},{"n":2}]'],
    ['a.txt', '{"n":1}\n{"n":2}'],
    ['a.csv', '\ufeffn\n1\n2\n'],
  ])('named %s that holds %j becomes lines of JSON', async (name, content) => {
    expect(await rowsOf(name, content, new Map([['n', 'number']]))).toBe('{"n":1}\n{"n":2}\n');
  });

  it('of many chunks keeps every row and every character', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => ({ n, text: 'grüße 🎈'.repeat(5) }));
    const lines = (await rowsOf('a.json', JSON.stringify(rows))).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
  });

  it('that is wrong is named with the place', async () => {
    await expect(rowsOf('a.json', '[{"n":}]')).rejects.toThrow(/a\.json: line 1, column 7: expected a value/);
  });

  it('with a cell that does not fit its type keeps the text, so that its row fails alone', async () => {
    expect(await rowsOf('a.csv', 'n\n1\nx\n', new Map([['n', 'number']]))).toBe('{"n":1}\n{"n":"x"}\n');
  });

  it.each([
    ['a', 'hello', 'a: there are no rows in it, read as CSV, whose first line names the fields'],
    ['a.csv', 'n\n', 'there are no rows in it, read as CSV'],
    ['a.tsv', 'n', 'there are no rows in it, read as TSV'],
    ['a.csv', '', 'there are no rows in it'],
    ['a.ndjson', '', 'there are no rows in it'],
  ])('named %s that holds %j is refused', async (name, content, message) => {
    await expect(rowsOf(name, content)).rejects.toThrow(message);
  });

  it('may say that there are no rows', async () => {
    expect(await rowsOf('a.json', '[]')).toBe('');
  });

  it('that is not UTF-8 is read line by line, wherever its pieces are cut', async () => {
    for (const length of [65_530, 65_535, 65_536, 131_071]) {
      const start = `n\n${'é\n'.repeat(length / 3)}`;
      const bytes = Buffer.concat([Buffer.from(start), Buffer.from('xé\u0096\n', 'latin1')]);
      const { rows, remarks } = await readFile('a.csv', bytes);
      expect(rows.endsWith('{"n":"é"}\n{"n":"xé–"}\n')).toBe(true);
      expect(remarks).toContainEqual(['1 line is Windows-1252', start.split('\n').length]);
    }
  });

  it('in the encoding that the user names is read by it', async () => {
    const russian = Buffer.from('n\n\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2\n', 'latin1');
    await expect(readFile('a.csv', russian)).rejects.toThrow('a.csv: the text is not UTF-8');
    const { rows } = await readFile('a.csv', russian, { read: { encoding: 'windows-1251' } });
    expect(rows).toBe('{"n":"Привет"}\n');
  });

  it.each(['a.csv.gz', 'a.gz', 'a.csv'])('that is packed with gzip is unpacked (%s)', async (name) => {
    const { rows, remarks } = await readFile(name, gzipSync('n\n1\n2\n'));
    expect(rows).toBe('{"n":"1"}\n{"n":"2"}\n');
    expect(remarks).toContainEqual(['unpacked from gzip']);
  });

  it('of several gzip parts, one behind the other, is read whole', async () => {
    const { rows } = await readFile('a.csv.gz', Buffer.concat([gzipSync('n\n1\n'), gzipSync('2\n')]));
    expect(rows).toBe('{"n":"1"}\n{"n":"2"}\n');
  });

  it('that is packed with gzip and is cut, damaged, packed twice or a bomb is refused', async () => {
    const packed = gzipSync(`n\n${Array.from({ length: 5000 }, (_, n) => `${n * 7919}\n`).join('')}`);
    await expect(readFile('a.csv.gz', packed.subarray(0, -20))).rejects.toThrow(
      'it is packed with gzip and ends too early. Copy or download it again',
    );
    await expect(readFile('a.csv.gz', packed.fill(0xff, 100, 120))).rejects.toThrow(
      'packed with gzip and damaged',
    );
    await expect(readFile('a.csv.gz', gzipSync(gzipSync('n\n1\n')))).rejects.toThrow(
      'packed with gzip twice',
    );
    await expect(readFile('a.csv.gz', gzipSync(`n\n${'0\n'.repeat(1_000_000)}`))).rejects.toThrow(
      'it unpacks to more than 100 times its size. Unpack it first, if you trust it',
    );
  });

  it('that is a workbook packed with gzip is read', async () => {
    const { rows } = await readFile('a.xlsx.gz', gzipSync('PK\u0003\u0004{"n":1}\n'));
    expect(rows).toBe('{"n":1}\n');
  });

  it.each([
    ['a.csv', '%PDF-1.4', 'a.csv: it is a PDF. Rows come from Excel, CSV, TSV, JSON or NDJSON'],
    ['a.json', '\0\0\0\0', 'a.json: it has nothing but zero bytes'],
    [
      'a.xls',
      '<html><table></table></html>',
      'a.xls: it is HTML or XML. Open it in Excel and save it as .xlsx',
    ],
  ])('that holds no rows as text (%s, %j) is refused with what it is', async (name, content, message) => {
    await expect(readFile(name, content)).rejects.toThrow(message);
  });

  it('that has the name of a workbook, but is text, is read as text', async () => {
    expect(await rowsOf('a.xls', 'n\tm\n1\t2\n')).toBe('{"n":"1","m":"2"}\n');
  });

  it.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
  ] as const)('in %s is read by its byte order mark', async (encoding, mark) => {
    for (const [name, text] of [
      ['a.csv', 'n,t\n1,grüße 🎈\n'],
      ['a.tsv', 'n\tt\r\n1\tgrüße 🎈\r\n'],
      ['a.ndjson', '{"n":1,"t":"grüße 🎈"}\n'],
      ['a.json', '[{"n":1,"t":"grüße 🎈"}]'],
    ] as const) {
      const body = Buffer.from(text, 'utf16le');
      if (encoding === 'utf-16be') body.swap16();
      const types: ColumnTypes = new Map([['n', 'number']]);
      expect(await rowsOf(name, Buffer.concat([Buffer.from(mark), body]), types)).toBe(
        '{"n":1,"t":"grüße 🎈"}\n',
      );
    }
  });

  it('that ends inside a character of UTF-16 is refused', async () => {
    await expect(rowsOf('a.csv', Uint8Array.of(0xff, 0xfe, 0x6e))).rejects.toThrow(
      'the text is not UTF-16LE',
    );
  });

  it('that is a workbook is recognized by its first bytes, whatever its name is', async () => {
    const workbook = Buffer.from('PK\u0003\u0004{"n":1}\n{"n":2}\n');
    expect(await rowsOf('a.xlsx', workbook)).toBe('{"n":1}\n{"n":2}\n');
    expect(await rowsOf('a.csv', workbook)).toBe('{"n":1}\n{"n":2}\n');
    await expect(rowsOf('a.xlsx', 'PK\u0003\u0004')).rejects.toThrow(
      'there are no rows below the header of its sheet',
    );
  });

  it('that is a workbook is handed out in pieces of whole lines', async () => {
    const line = `${JSON.stringify({ n: 'x'.repeat(1000) })}\n`;
    const read = await rowsOf('a.xlsx', `PK\u0003\u0004${line.repeat(3000)}`);
    expect(read).toBe(line.repeat(3000));
  });

  it('that does not exist is reported by the system', async () => {
    const read = readRows(join(await temporaryFolder(), 'none.csv'), {
      types: new Map(),
      readSheet,
    });
    await expect(read.next()).rejects.toThrow('ENOENT');
  });
});
