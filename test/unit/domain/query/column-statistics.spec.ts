import { describe, expect, it } from 'vitest';
import { ColumnCollector } from '../../../../src-main/domain/query/column-statistics.ts';

function numbersOf(...numbers: number[]) {
  const collector = new ColumnCollector({ of: 'output', name: 'score' });
  for (const number of numbers) collector.add(number);
  return collector.result().numbers;
}

describe('the histogram of a column', () => {
  it.each([
    ['that differ by a rounding error', [0.1 + 0.2, 0.3, 0.3]],
    ['next to each other', [1, 1 + Number.EPSILON]],
    ['too small to be divided', [0, Number.MIN_VALUE, Number.MIN_VALUE]],
    ['as far apart as numbers can be', [-Number.MAX_VALUE, Number.MAX_VALUE, 0]],
  ])('counts each of the numbers %s', (_, numbers) => {
    const histogram = numbersOf(...numbers)?.histogram ?? [];
    expect(histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(numbers.length);
    expect(JSON.stringify(histogram)).not.toContain('null');
  });
});
