import { describe, expect, it } from 'vitest';
import { foundRows, foundRowsLabel } from '../../../src-renderer/state/run/row-search.ts';

describe('what a search found', () => {
  it('is counted once all rows are searched, and named by its text before', () => {
    expect(foundRowsLabel(foundRows('ada', 12, { looked: 40, there: 40 }))).toBe('12 found rows');
    expect(foundRowsLabel(foundRows('ada', 12, { looked: 30, there: 40 }))).toBe('rows with “ada”');
    expect(foundRowsLabel(foundRows('ada', 0, undefined))).toBe('rows with “ada”');
  });
});
