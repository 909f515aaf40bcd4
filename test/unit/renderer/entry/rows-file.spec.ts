import { describe, expect, it } from 'vitest';
import { readRowsFile } from '../../../../src-renderer/state/entry/files/read-rows-file.ts';

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
    expect(file.format).toBe(format);
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
    expect(await read('a.csv', inUtf8)).toMatchObject({ rows: expected });
    for (const isBig of [false, true]) {
      expect(await read('a.csv', utf16(`\ufeff${text}`, isBig))).toMatchObject({ rows: expected });
      expect(await read('a.csv', utf16(text, isBig))).toMatchObject({ rows: expected });
    }
  });

  it.each<[string, string, string]>([
    ['a.csv', `a,${'b'.repeat(1001)}\n1,2\n`, 'line 1: the name of a column is longer than 1000 characters'],
    ['a.json', '[{"a":1},\n{"a":}]', 'line 2, column 6'],
    ['a.json', '[1]', 'a row must be an object'],
    ['a.ndjson', '{"a":1}\nnope\n', 'line 2, column 1'],
    ['a.csv', 'a,b\n', 'there are no rows in it'],
  ])('%s with %j says what is wrong and where', async (name, text, words) => {
    await expect(read(name, text)).rejects.toThrow(words);
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
      options: { sheet: 'Leads' },
      readSheet: (_, { sheet }) => {
        requested.push(sheet);
        const report = { readAs: {}, remarks: [], columns: ['zip', 'n', '2016'] };
        const head = { sheets, sheet: 'Leads', report, firstRows: [['zip', 'n']] };
        const lines = `${JSON.stringify(head)}\n{"zip":"007","n":7}\n`;
        return Promise.resolve(new Blob([lines]).stream());
      },
    });
    expect(requested).toEqual(['Leads']);
    expect(book).toMatchObject({
      name: 'book.csv',
      format: 'xlsx',
      sheets,
      sheet: 'Leads',
      rows: [{ zip: '007', n: 7 }],
      columns: ['zip', 'n', '2016'],
      firstLines: ['zip │ n'],
    });
  });

  it('packed with gzip is unpacked, which is remarked', async () => {
    const packed = new Blob(['a,b\n1,x\n']).stream().pipeThrough(new CompressionStream('gzip'));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const { rows, report, firstLines } = await read('a.csv.gz', bytes);
    expect(rows).toEqual([{ a: '1', b: 'x' }]);
    expect(report.remarks.map(({ kind }) => kind)).toContain('gzip');
    expect(firstLines).toEqual(['a,b', '1,x']);
    await expect(read('a.csv.gz', bytes.subarray(0, -9))).rejects.toThrow('packed with gzip and damaged');
  });

  it.each([
    [[0x25, 0x50, 0x44, 0x46, 0x2d], 'PDF'],
    [[1, 0, 0, 3], 'not a text file'],
  ])('that is no text is told by its first bytes: %j', async (bytes, words) => {
    await expect(read('a', Uint8Array.from(bytes))).rejects.toThrow(words);
  });

  it('with more rows than a page holds is counted to its end, and the page gets the first', async () => {
    const { rows, total, cells } = await read('a.csv', `a,b\n${'1,x\n'.repeat(10)}k.A.,y\n`, 10);
    expect([rows.length, total]).toEqual([10, 11]);
    expect(cells.get('a')?.count('integer', 'absent')).toBe(11);
  });

  it('that nobody waits for any more is not read on', async () => {
    const stopped = AbortSignal.abort();
    const reading = readRowsFile(new File(['{}\n'], 'a.ndjson'), { maxRows: 10, signal: stopped });
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
