import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRows, type ReadSheet } from '../../../src-main/files/read-rows.ts';
import type { ColumnTypes } from '../../../src-main/domain/rows/typed-cell.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

/** A workbook of a test is its rows as text behind the mark of a ZIP file. */
const readSheet: ReadSheet = (bytes) => Promise.resolve(bytes.subarray(4));

async function rowsOf(
  name: string,
  content: string | Uint8Array,
  types: ColumnTypes = new Map(),
): Promise<string> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, content);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readRows(file, { types, readSheet })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

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

  it('that is not UTF-8 is refused', async () => {
    await expect(rowsOf('a.csv', Uint8Array.of(0x6e, 0x0a, 0xff))).rejects.toThrow('the text is not UTF-8');
  });

  it('that is not UTF-8 names the line, wherever its pieces are cut', async () => {
    for (const length of [65_530, 65_535, 65_536, 131_071]) {
      const start = `n\n${'é\n'.repeat(length / 3)}`;
      const bytes = Buffer.concat([Buffer.from(start), Buffer.from('xé\n', 'latin1')]);
      const line = start.split('\n').length;
      await expect(rowsOf('a.csv', bytes)).rejects.toThrow(
        `a.csv: line ${line}: the text is not UTF-8: save the file as UTF-8`,
      );
    }
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
    await expect(rowsOf('a.csv', Uint8Array.of(0xff, 0xfe, 0x6e))).rejects.toThrow('the text is not UTF-16');
  });

  it('that is a workbook is recognized by its name or by its first bytes', async () => {
    const workbook = Buffer.from('PK\u0003\u0004{"n":1}\n{"n":2}\n');
    expect(await rowsOf('a.xlsx', workbook)).toBe('{"n":1}\n{"n":2}\n');
    expect(await rowsOf('a.csv', workbook)).toBe('{"n":1}\n{"n":2}\n');
    await expect(rowsOf('a.xlsx', 'PK\u0003\u0004')).rejects.toThrow('there are no rows in its sheet');
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
