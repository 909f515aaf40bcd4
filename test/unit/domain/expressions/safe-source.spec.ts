import 'ses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBody, parseExpression } from '../../../../src-main/domain/expressions/parse-expression.ts';
import { parseTemplate } from '../../../../src-main/domain/expressions/parse-template.ts';
import { isRefused } from '../../../../src-main/domain/expressions/safe-source.ts';

const scope = { names: ['row', 'nodes'] };

function evaluate(text: string, row: unknown = {}): unknown {
  const parsed = parseExpression(text, scope);
  if (!parsed.ok) return parsed.problems;
  const compartment = new Compartment({ globals: { row }, __options__: true });
  return compartment.evaluate(`(${parsed.value.safeSource})`);
}

describe('text that the sandbox would refuse', () => {
  it.each<[string, unknown]>([
    ['"please import (it)"', 'please import (it)'],
    ["'import/* x */'", 'import/* x */'],
    ["'\\import(x)'", 'import(x)'],
    ['"eval(1) and retrieval (2)"', 'eval(1) and retrieval (2)'],
    ['"<!-- note -->"', '<!-- note -->'],
    ['"\\<!-- note \\-->"', '<!-- note -->'],
    ['`import(${1}) <!-- ${2} -->`', 'import(1) <!-- 2 -->'],
    ['String.raw`a\\b` + "import()"', 'a\\bimport()'],
    ['/import\\(/.test("import(")', true],
    ['/import(x)?/.exec("imports")[0]', 'import'],
    ['/eval(?=\\()/.test("eval(")', true],
    ['/<!--(.*)-->/.exec("<!--a-->")[1]', 'a'],
    ['/^[<!--]+$/.test("<#%-")', true],
    ['/^[<!--]+$/.test("a")', false],
    ['/(?<!--)>/.test("a>") && !/(?<!--)>/.test("-->")', true],
    ['/[-->]/.test("=")', true],
    ['1 /* import( eval( <!-- */ + 1', 2],
    ['1 // -->\n + 1', 2],
    ['((a, b) => a-->b)(3, 2)', true],
    ['((a, b) => a<!--b)(0, 2)', false],
    ['({ import(x) { return x; } }).import(1)', 1],
    ['({ eval(x) { return x; } }).eval(1)', 1],
    ['({ eval (x) { return x; } })\n. eval (1)', 1],
    ['(($import) => $import(1))((x) => x)', 1],
    ['((éeval) => éeval(1))((x) => x)', 1],
    ['new (class { #import(x) { return x; } go() { return this.#import(2); } })().go()', 2],
  ])('means the same in the sandbox: %s', (text, expected) => {
    expect(isRefused(text) || text.includes('raw')).toBe(true);
    expect(evaluate(text)).toEqual(expected);
  });

  it('is left as it is where nothing is refused', () => {
    expect(parseExpression('row.a /* kept */ + 1', scope)).toMatchObject({
      value: { safeSource: 'row.a /* kept */ + 1' },
    });
  });

  it('keeps the statements of a body apart when a comment goes', () => {
    const parsed = parseBody('const a = 1 /* import(\n*/ const b = 2 // <!--\nreturn a + b', scope);
    expect(parsed).toMatchObject({
      ok: true,
      value: { safeSource: 'const a = 1 \n const b = 2  \nreturn a + b' },
    });
  });

  it('is refused in a tagged template, whose raw text the tag can see', () => {
    expect(evaluate('String.raw`import(x)`')).toEqual([
      { message: 'A tagged template cannot hold text that reads like import(…)', offset: 11 },
    ]);
  });

  it('is no concern in the text parts of a template, which are data', () => {
    const parsed = parseTemplate('import (goods) {{ row.a }} <!-- -->', scope);
    expect(parsed).toMatchObject({
      ok: true,
      value: { parts: ['import (goods) ', { source: 'row.a' }, ' <!-- -->'] },
    });
  });

  it('never comes through, and any string keeps its meaning', () => {
    const pieces = fc.constantFrom(
      'import',
      'eval',
      '(',
      ' ',
      '<',
      '!',
      '--',
      '>',
      '-->',
      '<!--',
      '/',
      '*',
      '.',
      '`',
      '\\',
      '$',
      'a',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(evaluate(JSON.stringify(text))).toBe(text);
        expect(evaluate(`\`${text.replace(/[\\`$]/g, '\\$&')}\``)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('never comes through any program that is accepted', () => {
    const pieces = fc.constantFrom(
      'import',
      'eval',
      '(',
      ')',
      ' ',
      '<',
      '!',
      '--',
      '>',
      '"',
      "'",
      '`',
      '/',
      '*',
      '.',
      'row',
      '=',
      '1',
      '\n',
      '[',
      ']',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const parsed = parseExpression(parts.join(''), scope);
        if (parsed.ok) expect(isRefused(parsed.value.safeSource)).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });
});
