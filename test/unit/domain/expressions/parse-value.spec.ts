import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-main/base/json-value.ts';
import { parseValue } from '../../../../src-main/domain/expressions/parse-value.ts';
import type { Value } from '../../../../src-main/domain/expressions/value.ts';

const scope = { names: ['row', 'nodes'] };
const parse = (json: JsonValue) => parseValue(json, scope);

/** Expressions by their source, so that a table stays readable. */
function outline(value: Value): unknown {
  switch (value.kind) {
    case 'literal':
      return { literal: value.value };
    case 'template':
      return { template: value.parts.map((part) => (typeof part === 'string' ? part : [part.source])) };
    case 'object':
      return { object: value.entries.map(([key, entry]) => [key, outline(entry)]) };
    case 'list':
      return { list: value.items.map(outline) };
    default:
      return { [value.kind]: value.source };
  }
}

describe('the shape of a value', () => {
  it.each<[JsonValue, unknown]>([
    ['plain text', { literal: 'plain text' }],
    ['', { literal: '' }],
    [' = not first', { literal: ' = not first' }],
    ['single { brace }', { literal: 'single { brace }' }],
    [5, { literal: 5 }],
    [null, { literal: null }],
    [true, { literal: true }],
    [{ a: [1, { b: 'x' }] }, { literal: { a: [1, { b: 'x' }] } }],
    ['=row.a', { expression: 'row.a' }],
    ["='=' + row.a", { expression: "'=' + row.a" }],
    ['= "{{ row.a }}"', { expression: '"{{ row.a }}"' }],
    ['Hi {{ row.name }}!', { template: ['Hi ', ['row.name'], '!'] }],
    ['{{row.a}}{{row.b}}', { template: [['row.a'], ['row.b']] }],
    ['{{ {a: 1}.a }}', { template: [['{a: 1}.a']] }],
    ['{{{a: 1}}}', { template: [['{a: 1}']] }],
    ['{{ "}}" }} }}', { template: [['"}}"'], ' }}'] }],
    ["{{ '{{' }} row.a }}", { template: [["'{{'"], ' row.a }}'] }],
    ['{{ `${ {a: "}}"}.a }` }}', { template: [['`${ {a: "}}"}.a }`']] }],
    ['{{ row.a /* }} */ }}.', { template: [['row.a'], '.'] }],
    ['{{ /}}/.test(row.a) }}', { template: [['/}}/.test(row.a)']] }],
    ['{{\n  row.a\n}}', { template: [['row.a']] }],
    [
      { a: '=row.a', b: ['x', '{{ row.b }}'] },
      {
        object: [
          ['a', { expression: 'row.a' }],
          ['b', { list: [{ literal: 'x' }, { template: [['row.b']] }] }],
        ],
      },
    ],
  ])('is found for %j', (json, expected) => {
    const parsed = parse(json);
    expect(parsed.ok && outline(parsed.value)).toEqual(expected);
  });

  it('keeps keys such as __proto__ as data', () => {
    const parsed = parse(JSON.parse('{"__proto__":"=row.a","constructor":1}') as JsonValue);
    expect(parsed.ok && outline(parsed.value)).toEqual({
      object: [
        ['__proto__', { expression: 'row.a' }],
        ['constructor', { literal: 1 }],
      ],
    });
  });
});

describe('problems in a value', () => {
  it.each<[JsonValue, (string | number)[], number, string]>([
    ['=', [], 1, 'The expression is empty'],
    ['=row.a +', [], 8, 'The code ends too early, something is missing'],
    ['a {{ row.b', [], 2, 'The {{ of this placeholder is never closed with }}'],
    ['a {{ row.b }', [], 11, 'Expected }} after the expression, found "}"'],
    ['a {{ row.a {{ row.b }}', [], 2, 'The {{ of this placeholder is never closed with }}'],
    ['a {{{ row.b }}}', [], 2, 'A placeholder has two braces on each side: {{ … }}'],
    ['a {{ }} b', [], 4, 'The placeholder is empty'],
    ['a {{', [], 4, 'The placeholder is empty'],
    ['{{ row.a row.b }}', [], 9, 'Expected }} after the expression, found "r"'],
    ['{{ row.a }} {{ rwo.b }}', [], 15, 'Unknown name "rwo"; did you mean "row"?'],
    ['{{ row.a // }}', [], 0, 'The {{ of this placeholder is never closed with }}'],
    [{ list: ['ok', { deep: 'x{{ ! }}' }] }, ['list', 1, 'deep'], 6, 'Unexpected "}"'],
  ])('in %j carry path and offset', (json, path, offset, message) => {
    expect(parse(json)).toEqual({ ok: false, problems: [{ path, offset, message }] });
  });

  it('are all reported', () => {
    const parsed = parse({ a: '=b', c: ['=d', '{{ e }} {{ f }}'] });
    expect(!parsed.ok && parsed.problems.map(({ path, offset }) => [...path, offset])).toEqual([
      ['a', 1],
      ['c', 0, 1],
      ['c', 1, 3],
      ['c', 1, 11],
    ]);
  });
});
