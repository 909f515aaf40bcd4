import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-main/base/json-value.ts';
import { checkSchema } from '../../../../src-main/domain/json-schema/check-schema.ts';

describe('a schema for an answer', () => {
  it('may use every keyword that is checked, at any depth', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Order',
      type: 'object',
      required: ['lines'],
      additionalProperties: false,
      properties: {
        lines: {
          type: 'array',
          minItems: 1,
          maxItems: 9,
          items: { anyOf: [{ const: 1 }, { type: ['string', 'null'] }] },
        },
        code: { type: 'string', pattern: '^[A-Z]+$', minLength: 1, maxLength: 5, format: 'uuid' },
        price: { type: 'number', minimum: 0, exclusiveMaximum: 10, description: 'In euros' },
        kind: { enum: ['a', null, 3] },
      },
    };
    expect(checkSchema(schema)).toEqual([]);
  });

  it.each<[JsonValue, string, readonly (string | number)[]]>([
    [[], 'Expected a JSON Schema: names with values', []],
    [{ $ref: '#/x' }, 'The keyword "$ref" is not understood', ['$ref']],
    [{ require: ['a'] }, 'The keyword "require" is not understood (did you mean "required"?)', ['require']],
    [
      { type: 'text' },
      'Expected one of object, array, string, number, integer, boolean, null, or a list of them',
      ['type'],
    ],
    [
      { type: [] },
      'Expected one of object, array, string, number, integer, boolean, null, or a list of them',
      ['type'],
    ],
    [{ enum: [] }, 'Expected a list with at least one value', ['enum']],
    [{ required: 'a' }, 'Expected a list of names', ['required']],
    [{ minItems: -1 }, 'Expected a whole number from 0', ['minItems']],
    [{ minimum: '1' }, 'Expected a number', ['minimum']],
    [{ pattern: '(' }, '"(" is not a regular expression', ['pattern']],
    [
      { properties: { a: { oneOf: [] } } },
      'The keyword "oneOf" is not understood (did you mean "anyOf"?)',
      ['properties', 'a', 'oneOf'],
    ],
    [{ anyOf: [{}, { items: 3 }] }, 'Expected a JSON Schema: names with values', ['anyOf', 1, 'items']],
    [{ properties: [] }, 'Expected names with schemas', ['properties']],
  ])('is refused: %j', (schema, message, path) => {
    expect(checkSchema(schema)).toEqual([{ message, path }]);
  });
});
