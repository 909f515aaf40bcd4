// The choices of the page stand in its messages in place of the command line's flags.
import { describe, expect, it } from 'vitest';
import { pageMessage, remediesOf } from '../../../../src-renderer/state/entry/read-choices.ts';

const text =
  'line 1: the name of a column is too long. Name the line that has the names with --header, or none';

describe('a message about a file that cannot be read', () => {
  it('names the choice of the page', () => {
    expect(pageMessage(text)).toBe(
      'Line 1: the name of a column is too long. Name the line that has the names with “Header in row”, or none.',
    );
  });

  it('stands above the choices that it names, and those that the user has made', () => {
    expect(remediesOf(text, {})).toEqual(['header']);
    expect(remediesOf(text, { encoding: 'mixed' })).toEqual(['header', 'encoding']);
    expect(remediesOf('it is an image (PNG)', {})).toEqual([]);
  });
});
