import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { RowNumbersHead } from '../../../src-main/http/row-numbers-head.ts';

/** The rest of a body and the row numbers taken off it. The body arrives in pieces that end at `cuts`. */
function taken(body: string, cuts: readonly number[] = []) {
  const head = new RowNumbersHead(1_000);
  let rest = '';
  let from = 0;
  for (const to of [...cuts, body.length].map((cut) => Math.min(cut, body.length)).sort((a, b) => a - b)) {
    rest += head.push(Buffer.from(body.slice(from, to))).toString();
    from = to;
  }
  head.end();
  return { rest, numbers: head.numbers };
}

describe('the numbers at the beginning of a body', () => {
  it('are taken off it, wherever it is cut', () => {
    const body = '{"numbers":[3,7,120],"rows":[{"a":"]"},{},{}]}';
    fc.assert(
      fc.property(fc.array(fc.nat(body.length), { maxLength: 6 }), (cuts) => {
        expect(taken(body, cuts)).toEqual({ rest: '{"rows":[{"a":"]"},{},{}]}', numbers: [3, 7, 120] });
      }),
    );
  });

  it('may be missing', () => {
    const body = '{"rows":[{"numbers":[1]}]}';
    for (let cut = 0; cut <= body.length; cut += 1)
      expect(taken(body, [cut])).toEqual({ rest: body, numbers: undefined });
  });

  it.each([
    '{ "numbers":[1],"rows":[]}',
    '{"nodes":1,"numbers":[1],"rows":[]}',
    '{"numbers":[1 ,2],"rows":[]}',
    '{"numbers":[0],"rows":[]}',
    '{"numbers":[1,],"rows":[]}',
    '{"numbers":[1.5],"rows":[]}',
    '{"numbers":["1"],"rows":[]}',
    '{"numbers":[1]}',
    '{"numbers":[1]"rows":[]}',
    '{"numbers":[1',
    '{"ro',
    '',
  ])('are refused as %s', (body) => {
    expect(() => taken(body)).toThrow(AppError);
  });

  it('hold no more memory than numbers of so many rows need', () => {
    const head = new RowNumbersHead(10);
    head.push(Buffer.from('{"numbers":['));
    const fill = () => {
      for (let n = 0; n < 100; n += 1) head.push(Buffer.from('1,'));
    };
    expect(fill).toThrow('more row numbers than a run has rows');
  });
});
