import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersInOrder, namesInOrder, parseInOrder } from '../../../../src-main/domain/rows/name-order.ts';

const parse = (json: string) => parseInOrder(json) as { [name: string]: unknown };

describe('the names of a row', () => {
  it('stay in the order of the text, also if they are whole numbers', () => {
    expect(namesInOrder(parse('{"name":"Ada","2016":1,"2015":{"7":[{"8":1}]},"a\\"b" : "x:"}'))).toEqual([
      'name',
      '2016',
      '2015',
      'a"b',
    ]);
  });

  it('and its values are written again as they were, in any order', () => {
    const name = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('__proto__'));
    const members = fc.uniqueArray(fc.tuple(name, fc.jsonValue()), {
      selector: ([key]) => key,
      maxLength: 8,
    });
    fc.assert(
      fc.property(members, (pairs) => {
        const text = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',');
        const row = parse(`{${text}}`);
        expect(namesInOrder(row)).toEqual(pairs.map(([key]) => key));
        const nested = JSON.stringify(JSON.parse(`{${text}}`)).length;
        expect(`{${membersInOrder(row, namesInOrder(row))}}`.length).toBe(nested);
        expect(namesInOrder(parse(`{${membersInOrder(row, namesInOrder(row))}}`))).toEqual(namesInOrder(row));
      }),
    );
  });

  it('of another object stand where the row has them, and the others follow', () => {
    const row = parse('{"name":"Ada","2016":1,"2015":2}');
    expect(membersInOrder({ ...row, sum: 3, 1: 0 }, namesInOrder(row))).toBe(
      '"name":"Ada","2016":1,"2015":2,"1":0,"sum":3',
    );
  });
});
