import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../../../src-main/base/json-value.ts';
import { checkSchema } from '../../../../src-main/domain/json-schema/check-schema.ts';
import { findMismatch } from '../../../../src-main/domain/json-schema/find-mismatch.ts';

describe('a value against a schema', () => {
  it.each<[JsonObject, JsonValue, string | undefined]>([
    [{}, { anything: 1 }, undefined],
    [{ type: 'integer' }, 3, undefined],
    [{ type: 'number' }, 3, undefined],
    [{ type: 'integer' }, 3.5, 'answer is of type number, not integer'],
    [{ type: ['string', 'null'] }, true, 'answer is of type boolean, not string or null'],
    [{ type: 'object' }, [], 'answer is of type array, not object'],
    [{ enum: ['a', { b: [1] }] }, { b: [1] }, undefined],
    [{ enum: ['a', 'b'] }, 'c', 'answer is none of "a", "b"'],
    [{ const: { a: 1 } }, { a: 2 }, 'answer is not {"a":1}'],
    [{ required: ['a'] }, {}, 'answer has no "a"'],
    [{ required: ['toString'] }, {}, 'answer has no "toString"'],
    [{ properties: { a: { type: 'string' } } }, { a: 1 }, 'answer.a is of type integer, not string'],
    [{ properties: { 'a b': { const: 1 } } }, { 'a b': 2 }, 'answer["a b"] is not 1'],
    [
      { properties: { a: {} }, additionalProperties: false },
      { constructor: 1 },
      'answer has "constructor", which the schema does not know',
    ],
    [{ additionalProperties: { type: 'number' } }, { x: 'y' }, 'answer.x is of type string, not number'],
    [{ items: { properties: { p: { minimum: 1 } } } }, [{ p: 1 }, { p: 0 }], 'answer[1].p is below 1'],
    [{ minItems: 2 }, [1], 'answer has 1 entries, fewer than 2'],
    [{ maxItems: 0 }, [1], 'answer has 1 entries, more than 0'],
    [{ minLength: 2 }, '😀', 'answer is shorter than 2 characters'],
    [{ maxLength: 2 }, '😀😀', undefined],
    [{ maxLength: 1 }, 'ab', 'answer is longer than 1 characters'],
    [{ pattern: '^a$' }, 'b', 'answer does not match "^a$"'],
    [{ maximum: 1 }, 2, 'answer is above 1'],
    [{ exclusiveMinimum: 1 }, 1, 'answer is not above 1'],
    [{ exclusiveMaximum: 1 }, 1, 'answer is not below 1'],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, 4, undefined],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, 2, 'answer fits none of the 2 schemas of "anyOf"'],
  ])('%j of %j: %s', (schema, value, mismatch) => {
    expect(checkSchema(schema)).toEqual([]);
    expect(findMismatch(schema, value, 'answer')).toBe(mismatch);
  });

  it('knows own names such as __proto__', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
    ) as JsonObject;
    expect(findMismatch(schema, JSON.parse('{"__proto__":"x"}') as JsonValue, 'answer')).toBeUndefined();
    expect(findMismatch(schema, JSON.parse('{"__proto__":1}') as JsonValue, 'answer')).toBe(
      'answer.__proto__ is of type integer, not string',
    );
  });

  it('is judged as another validator judges it', () => {
    const bounds = { minimum: fc.integer({ min: -2, max: 2 }), maxItems: fc.nat(2), minLength: fc.nat(2) };
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('integer'), minimum: bounds.minimum }),
      fc.record({ type: fc.constant('string'), minLength: bounds.minLength }),
      fc.constantFrom({ type: 'boolean' }, { type: 'null' }, { enum: ['a', 'b'] }),
    );
    const schemas = fc.oneof(
      leaf,
      fc.record({ type: fc.constant('array'), items: leaf, maxItems: bounds.maxItems }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.record({ a: leaf, b: leaf }),
        required: fc.constant(['a']),
        additionalProperties: fc.boolean(),
      }),
      fc.record({ anyOf: fc.tuple(leaf, leaf) }),
    );
    const small = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'a', 'abc', true, null, 1.5));
    const values = fc.oneof(
      small,
      fc.array(small, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), small),
    );
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const other = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
        expect(
          findMismatch(schema as unknown as JsonObject, value as JsonValue, 'answer') === undefined,
        ).toBe(other.safeParse(value).success);
      }),
      { numRuns: 500 },
    );
  });
});
