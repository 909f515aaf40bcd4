import { describe, expect, it } from 'vitest';
import { ValueFinder } from '../../../../src-main/domain/query/find-values.ts';

/** `column=before[match]after` of each hit; empty where the line has no match at all. */
function hits(text: string, row: object | string): string[] {
  const line = typeof row === 'string' ? row : JSON.stringify(row);
  const finder = new ValueFinder(text);
  const isPlain = /^[\x00-\x7f]*$/.test(line);
  if (isPlain) expect(finder.mayMatchAscii(line)).toBe(finder.mayMatch(line));
  if (!finder.mayMatch(line)) return [];
  return finder.find(line).map(({ name, before, match, after }) => `${name}=${before}[${match}]${after}`);
}

describe('values with a text', () => {
  it.each([
    ['ada', { name: 'Ada L' }, ['name=[Ada] L']],
    ['ÜRI', { city: 'Zürich' }, ['city=Z[üri]ch']],
    ['"', { note: 'a "b"', other: 'plain' }, ['note=a ["]b"']],
    ['\\', { path: 'C:\\x' }, ['path=C:[\\]x']],
    ['\u0000', { note: 'a\u0000b' }, ['note=a[\u0000]b']],
    ['\ud800', { note: 'a\ud800b' }, ['note=a[\ud800]b']],
    ['line\nend', { note: 'line\nend' }, ['note=[line\nend]']],
    ['.*', { note: 'a.*b' }, ['note=a[.*]b']],
    ['12', { size: 3120 }, ['size=3[12]0']],
    ['tru', { isHot: true }, ['isHot=[tru]e']],
    ['x', { tags: ['y', { deep: 'Xy' }], x: 1 }, ['tags=[X]y']],
    ['ada', { a: 'ada', b: 'no', c: 'ADA ada' }, ['a=[ada]', 'c=[ADA] ada']],
  ])('%j is found in %j', (text, row, expected) => {
    expect(hits(text, row)).toEqual(expected);
  });

  it('a text that is only a name, or only in the marks of JSON, is not found', () => {
    expect(hits('email', { email: 'x', list: [{ email: 1 }] })).toEqual([]);
    expect(hits('","', { a: 'x', b: 'y' })).toEqual([]);
    // The text of JSON has the letter n here, the value has a line break.
    expect(hits('n', { b: '\n' })).toEqual([]);
    expect(hits('\n', { b: '\\N' })).toEqual([]);
  });

  it('a text is found however the client escaped it', () => {
    expect(hits('zürich/ost', '{"city":"Z\\u00FCrich\\/Ost"}')).toEqual(['city=[Zürich/Ost]']);
    expect(hits('n\u0061me', '{"\\u006eame":"x"}')).toEqual([]);
  });

  it('a number is found as it is written, beyond the precision of a double', () => {
    expect(hits('12345678901234567890', '{"id":12345678901234567890}')).toEqual([
      'id=[12345678901234567890]',
    ]);
  });

  it('half a character is not found, and the mark fits letters that grow in lower case', () => {
    expect(hits('\ud83d', { a: '😀', b: '\ud83d' })).toEqual(['b=[\ud83d]']);
    expect(hits('stanbul', { city: 'İİ İstanbul' })).toEqual(['city=İİ İ[stanbul]']);
  });

  it('a long value is cut around the match, and never within a character', () => {
    const [hit] = new ValueFinder('match').find(
      JSON.stringify({ note: `${'😀'.repeat(500)}match${'😀'.repeat(500)}` }),
    );
    expect(hit?.before).toBe(`…${'😀'.repeat(50)}`);
    expect(hit?.after).toBe(`${'😀'.repeat(50)}…`);
  });

  it('names that objects inherit are columns like others', () => {
    expect(hits('x', '{"__proto__":"x","constructor":"x"}')).toEqual(['__proto__=[x]', 'constructor=[x]']);
  });

  it('a text of a million characters and values nested 1,000 levels deep are searched', () => {
    expect(hits('end', { note: `${'"\\'.repeat(250_000)}end` })).toHaveLength(1);
    expect(hits('deep', `{"a":${'['.repeat(1000)}"deep"${']'.repeat(1000)}}`)).toEqual(['a=[deep]']);
  });
});
