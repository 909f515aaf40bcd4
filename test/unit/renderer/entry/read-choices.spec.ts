// The choices of the page stand in its messages in place of the command line's flags.
import { describe, expect, it } from 'vitest';
import { readRowsFile } from '../../../../src-renderer/state/entry/files/read-rows-file.ts';
import {
  doubtsAbout,
  pageMessage,
  remediesOf,
} from '../../../../src-renderer/state/entry/files/read-choices.ts';

const read = (content: string) => readRowsFile(new File([content], 'a.csv'), { maxRows: 10 });

const text =
  'line 1: the name of a column is too long. Name the line that has the names with --header, or none';

describe('a message about a file that cannot be read', () => {
  it('names the choice of the page', () => {
    expect(pageMessage(text)).toBe(
      'Line 1: the name of a column is too long. Name the line that has the names with “Header in row”, or none.',
    );
  });

  it('names the button that leaves lines out', () => {
    expect(pageMessage('no rows in it, without the lines that --skip leaves out')).toBe(
      'No rows in it, without the lines that “Leave out” leaves out.',
    );
  });

  it('stands above the choices that it names, and those that the user has made', () => {
    expect(remediesOf(text, {})).toEqual(['header']);
    expect(remediesOf(text, { encoding: 'mixed' })).toEqual(['header', 'encoding']);
    expect(remediesOf('it is an image (PNG)', {})).toEqual([]);
  });
});

describe('a choice that the user should check', () => {
  it.each([
    ['1;2\n3;4\n', 'header', 'Check it: no header line: line 1 has values'],
    ['a;;c\n;b;\n1;2;3\n4;5;6\n', 'header', 'Check it: line 2 looks like a second line of the header'],
    ['tags\nred,blue\ngreen\nwhite\nblack\n', 'delimiter', 'Check it: one column: no delimiter agrees'],
  ] as const)('is marked with its reason: %j', async (content, choice, reason) => {
    expect([...doubtsAbout(await read(content), undefined)]).toEqual([[choice, reason]]);
  });

  it('is not there in a plain file, and a guessed encoding is one', async () => {
    const file = await read('a;b\nx;1\n');
    expect([...doubtsAbout(file, undefined)]).toEqual([]);
    expect([...doubtsAbout(file, 'windows-1251').keys()]).toEqual(['encoding']);
  });
});
