import { describe, expect, it } from 'vitest';
import { RemarkCollector, remarkLine } from '../../../../src-main/domain/rows/files/read-remarks.ts';
import { counted } from '../../../../src-main/domain/format.ts';

const emptyLine = (line: number) =>
  ({
    kind: 'emptyLines',
    line,
    words: (count: number) => `${counted(count, 'empty line')} left out`,
  }) as const;

describe('remarks about a rows file', () => {
  it('decisions about the whole file stand first in the one line', () => {
    const remarks = new RemarkCollector();
    for (const line of [4, 6, 7, 8, 9, 12, 13]) remarks.add(emptyLine(line));
    remarks.add({ kind: 'delimiter', words: () => 'delimiter ";"', option: 'delimiter' });
    remarks.add({ kind: 'header', words: () => 'header in line 3', option: 'header' });
    expect(remarkLine('orders.csv', { readAs: {}, remarks: remarks.all() })).toBe(
      'orders.csv: delimiter ";", header in line 3; 7 empty lines left out (4, 6, 7, 8, 9, …)',
    );
  });

  it('remarks of one kind about two columns stay apart', () => {
    const remarks = new RemarkCollector();
    for (const column of ['a', 'b', 'a'])
      remarks.add({ kind: 'columnForm', column, words: (count) => `${column}: ${counted(count, 'value')}` });
    expect(remarks.all().map(({ text }) => text)).toEqual(['a: 2 values', 'b: 1 value']);
  });

  it('a strict reader of a sheet names the row', () => {
    expect(() => new RemarkCollector(true, 'row').add(emptyLine(4))).toThrow(/^row 4: 1 empty line/);
  });

  it('a strict reader refuses the first remark and names its line', () => {
    const remarks = new RemarkCollector(true);
    expect(() => remarks.add(emptyLine(4))).toThrow(
      /^line 4: 1 empty line left out, which is an error with --strict$/,
    );
  });
});
