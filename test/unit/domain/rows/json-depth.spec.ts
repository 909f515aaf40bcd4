import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNestedDeeper } from '../../../../src-main/domain/rows/json-depth.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('the depth of a JSON text', () => {
  it('is that of its value, whatever stands in its strings', () => {
    const json = fc.jsonValue({ maxDepth: 6, stringUnit: fc.constantFrom('[', '{', ']', '"', '\\', 'é') });
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const depth = depthOf(JSON.parse(text));
        expect([isNestedDeeper(text, depth), isNestedDeeper(text, depth - 1)]).toEqual([false, true]);
      }),
    );
  });

  it.each(['', '"', '"[[[[', '"\\', ']]]]', '{"a":'])('of %j, which is no JSON, is not large', (text) => {
    expect(isNestedDeeper(text, 1)).toBe(false);
  });
});
