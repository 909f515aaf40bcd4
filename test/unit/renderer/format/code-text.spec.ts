import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CodeText } from '../../../../src-renderer/format/code-text.ts';
import { programText, programTokens } from '../../../../src-renderer/format/program-text.ts';
import { yamlText } from '../../../../src-renderer/format/yaml-text.ts';

/** `kind:text` of what is coloured, without what is plain. */
const coloured = (code: CodeText, line = 0): string[] =>
  code
    .tokensOf(line)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind}:${text}`);

const allText = (code: CodeText): string =>
  Array.from({ length: code.count }, (_, line) =>
    code
      .tokensOf(line)
      .map(({ text }) => text)
      .join(''),
  ).join('\n');

describe('a workflow file', () => {
  it.each([
    ['id: score-leads', ['key:id', 'mark::']],
    ['rowbench: 1 # version', ['key:rowbench', 'mark::', 'number:1', 'comment:# version']],
    ['  - id: lead', ['mark:-', 'key:id', 'mark::']],
    ['when: =row.n > 1', ['key:when', 'mark::', 'expression:=row.n > 1']],
    [`host: "=row.a['b']"`, ['key:host', 'mark::', `expression:"=row.a['b']"`]],
    [
      'title: "{{ row.name }} it is"',
      ['key:title', 'mark::', 'text:"', 'expression:{{ row.name }}', 'text: it is"'],
    ],
    ['url: https://example.com/#top', ['key:url', 'mark::']],
    ['required: true', ['key:required', 'mark::', 'word:true']],
    [
      '- { when: "=a", value: hot, n: 2 }',
      [
        'mark:-',
        'mark:{',
        'key:when',
        'mark::',
        'expression:"=a"',
        'mark:,',
        'key:value',
        'mark::',
        'mark:,',
        'key:n',
        'mark::',
        'number:2',
        'mark:}',
      ],
    ],
    [
      '{"id": "x", "n": null}',
      ['mark:{', 'key:"id"', 'mark::', 'text:"x"', 'mark:,', 'key:"n"', 'mark::', 'word:null', 'mark:}'],
    ],
    ["name: 'it''s'", ['key:name', 'mark::', "text:'it''s'"]],
    ['名前: 値 🦊', ['key:名前', 'mark::']],
  ])('%s', (line, expected) => {
    expect(coloured(yamlText(line))).toEqual(expected);
  });

  it('colours code as a program, as long as it is indented', () => {
    const code = yamlText('- id: a\n  code: |\n    const a = 1;\n\n    return a;\n  after: b');
    expect(coloured(code, 2)).toEqual(['word:const', 'number:1', 'mark:;']);
    expect(coloured(code, 4)).toContain('word:return');
    expect(coloured(code, 5)).toEqual(['key:after', 'mark::']);
  });

  it('knows a text over several lines from what follows it', () => {
    const code = yamlText('a: "one\n  two: 2\n  three"\nb: 1');
    expect(coloured(code, 1)).toEqual(['text:  two: 2']);
    expect(coloured(code, 3)).toEqual(['key:b', 'mark::', 'number:1']);
  });

  it('loses no character of any text, broken or not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const lines = text.split(/\r?\n/).join('\n');
        expect(allText(yamlText(text))).toBe(lines);
        expect(allText(programText(text, 'shell'))).toBe(lines);
      }),
    );
    const yamlish = fc.string({ unit: fc.constantFrom(...'{}[]"\'#:-|>=,\\ \nab1'), maxLength: 80 });
    fc.assert(
      fc.property(yamlish, (text) => {
        expect(allText(yamlText(text))).toBe(text);
      }),
    );
  });

  it('says how much more there is of a line that nobody could read', () => {
    const [text] = yamlText(`a: ${'x'.repeat(1_000_000)}`)
      .tokensOf(0)
      .slice(-1);
    expect(text?.text).toBe(' … 998,003 more characters');
  });

  it('gets to the end of a file of 1 MB in a blink', () => {
    const code = yamlText('  - { id: a, type: set, values: { a: "=row.a" } }\n'.repeat(20_000));
    // Time of this process: the machine may do other things meanwhile.
    const from = process.cpuUsage();
    code.tokensOf(19_999);
    expect(process.cpuUsage(from).user / 1000).toBeLessThan(1_500);
  });
});

describe('a program', () => {
  it.each([
    ['javascript', 'const a = "b"; // c # d', ['word:const', 'text:"b"', 'mark:;', 'comment:// c # d']],
    ['python', 'if a: # b', ['word:if', 'comment:# b']],
    ['go', 'return "a" // b', ['word:return', 'text:"a"', 'comment:// b']],
    ['shell', "curl -s 'http://a' # b", ["text:'http://a'", 'comment:# b']],
    ['shell', 'curl http://a/b#c', []],
  ] as const)('in %s: %s', (language, line, expected) => {
    const shown = programTokens(line, language).filter(({ kind }) => kind !== 'plain');
    expect(shown.map(({ kind, text }) => `${kind}:${text}`)).toEqual(expected);
  });
});
