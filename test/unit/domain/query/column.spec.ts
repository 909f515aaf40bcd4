import { describe, expect, it } from 'vitest';
import { columnText, parseColumn } from '../../../../src-main/domain/query/column.ts';

describe('the name of a column', () => {
  it.each(['input.email', 'output.a.b', 'output.', 'input.__proto__'])('%s names one column', (text) => {
    const column = parseColumn(text);
    expect(column && columnText(column)).toBe(text);
  });

  it.each(['inputs', 'outputs', 'email', 'row.email', '', '.input'])('%j names no column', (text) => {
    expect(parseColumn(text)).toBeUndefined();
  });
});
