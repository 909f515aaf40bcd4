import { describe, expect, it } from 'vitest';
import {
  parseReadOptions,
  withOptionKeys,
  withoutOptions,
  writtenReadOptions,
} from '../../../../src-main/domain/rows/files/read-options.ts';

describe('options of a rows file', () => {
  it.each([
    [{ header: '3' }, { header: { first: 3, last: 3 } }],
    [{ header: 3 }, { header: { first: 3, last: 3 } }],
    [{ header: '1-2' }, { header: { first: 1, last: 2 } }],
    [{ header: 'none' }, { header: 'none' }],
    [
      { delimiter: 'tab', quote: 'none' },
      { delimiter: '\t', quote: 'none' },
    ],
    [
      {
        delimiter: ';',
        quote: "'",
        encoding: 'mixed',
        decimal: ',',
        dates: 'dmy',
        skip: 'both',
        sheet: 'May',
        strict: true,
      },
      {
        delimiter: ';',
        quote: "'",
        encoding: 'mixed',
        decimal: ',',
        dates: 'dmy',
        skip: 'both',
        sheet: 'May',
        strict: true,
      },
    ],
  ] as const)('%o are read', (written, options) => {
    expect(parseReadOptions(written)).toEqual(options);
    expect(parseReadOptions(writtenReadOptions(options))).toEqual(options);
  });

  it.each([
    [{ header: 'x' }, /header must be the line .* not "x"/],
    [{ header: '0' }, /header must be/],
    [{ header: '3-2' }, /header must be/],
    [{ header: '1-100' }, /header must be/],
    [{ delimiter: ';;' }, /delimiter must be one character/],
    [{ delimiter: '' }, /delimiter must be one character/],
    [{ delimiter: '"' }, /delimiter must be one character/],
    [{ quote: '`' }, /quote must be one of " ' none, not "`"/],
    [{ decimal: ';' }, /decimal must be one of \. ,/],
    [{ dates: 'ydm' }, /dates must be one of dmy mdy ymd/],
    [{ skip: 'short,long' }, /skip must be one of short long both, not "short,long"/],
    [{ strict: 'yes' }, /strict must be true or false/],
    [{ encoding: '' }, /encoding must be a name/],
    [{ headers: 3 }, /"headers" is no option of a rows file: there are delimiter, /],
  ] as const)('%o is refused with the values that there are', (written, message) => {
    expect(() => parseReadOptions(written)).toThrow(message);
  });
});

describe('a message that names flags', () => {
  it.each([
    ['Name the line with --header, or none', 'Name the line with `header`, or none'],
    ['To decide it: --decimal , or --decimal .', 'To decide it: `decimal: ","` or `decimal: "."`'],
    ['--header 1-2 joins them; --skip long', '`header: 1-2` joins them; `skip: long`'],
    ['name its encoding with --encoding: big5', 'name its encoding with `encoding`: big5'],
    [
      'an error with --strict. Read quotes: --quote none',
      'an error with `strict: true`. Read quotes: `quote: none`',
    ],
    ['it has --headers and -- header', 'it has --headers and -- header'],
  ])('names keys in a tests file: %s', (message, expected) => {
    expect(withOptionKeys(message)).toBe(expected);
  });

  it('names no flag for a table, which has no options', () => {
    expect(withoutOptions('not UTF-8. Save it as UTF-8. Or use --encoding: big5')).toBe(
      'not UTF-8. Save it as UTF-8',
    );
  });
});
