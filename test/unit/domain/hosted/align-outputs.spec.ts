import { describe, expect, it } from 'vitest';
import { alignOutputs, readEntries } from '../../../../src-main/domain/hosted/align-outputs.ts';

function toEnd<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const entriesOf = (text: string): readonly string[] | undefined =>
  toEnd(readEntries(new TextEncoder().encode(text)));

const align = (...args: Parameters<typeof alignOutputs>) => toEnd(alignOutputs(...args));

const lines = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value));

describe('the entries of an answer', () => {
  it('stand in the order of the bytes, whatever their ids look like', () => {
    expect(entriesOf('{"success":true,"data":{"10":{"a":1},"2":{"a":2},"x":{"a":3}}}')).toEqual([
      '{"a":1}',
      '{"a":2}',
      '{"a":3}',
    ]);
  });

  it('are one line each in an indented answer, with unknown members around them', () => {
    const text = JSON.stringify(
      {
        requestId: 'a"}',
        list: [{ data: {} }, '"'],
        success: true,
        data: { r1: { text: 'a\nb', n: [1, { x: 2 }] } },
      },
      null,
      2,
    );
    const [entry = ''] = entriesOf(`\ufeff${text.replaceAll('\n', '\r\n')}`) ?? [];
    expect(entry).not.toMatch(/[\r\n]/);
    expect(JSON.parse(entry)).toEqual({ text: 'a\nb', n: [1, { x: 2 }] });
  });

  it('keep numbers as written, and integers that no double holds as text', () => {
    expect(entriesOf('{"data":{"a":{"n":1.10,"id":812345678901234567}}}')).toEqual([
      '{"n":1.10,"id":"812345678901234567"}',
    ]);
  });

  it.each([
    '<html>',
    '',
    '{"success":false,"data":{"a":{}}}',
    '{"success":true}',
    '{"success":true,"data":[]}',
    '{"success":true,"data":{"a":1}}',
    '{"success":true,"data":{"a":{}',
  ])('are not read from %s', (text) => {
    expect(entriesOf(text)).toBeUndefined();
  });

  it('are none where no row was processed', () => {
    expect(entriesOf('{"success":true,"data":{ }}')).toEqual([]);
  });
});

describe('the row of an output', () => {
  const rows = lines([{ id: 10 }, { id: 2 }, { id: 31 }]);

  it('is the only row', () => {
    expect(align(lines([{ a: 1 }]), lines([{ b: 1 }]))).toEqual({ by: 'one', entryOf: [0] });
    expect(align(lines([{ a: 1 }]), [])).toEqual({ by: 'one', entryOf: [undefined] });
  });

  it('is found by a field of the same name, also where entries are missing', () => {
    const found = align(rows, lines([{ id: 31 }, { id: 10 }]));
    expect(found).toEqual({
      by: 'field',
      fields: { output: 'id', input: 'id' },
      entryOf: [1, undefined, 0],
    });
  });

  it('is found by the named fields', () => {
    const found = align(rows, lines([{ key: 2 }, { key: 31 }, { key: 10 }]), { output: 'key', input: 'id' });
    expect(found.entryOf).toEqual([2, 0, 1]);
  });

  it('is not found by a field whose values are not those of the rows', () => {
    const others = lines([{ id: 10 }, { id: 2 }, { id: 32 }]);
    expect(align(rows, others)).toMatchObject({ by: 'order', entryOf: [0, 1, 2] });
    expect(align(rows, others, { output: 'id', input: 'id' })).toMatchObject({ by: 'none' });
  });

  it('is not found by a value that two rows have, or of another type', () => {
    const twice = lines([{ id: 1 }, { id: 1 }]);
    expect(align(twice, lines([{ id: 1 }, { id: 1 }])).by).toBe('order');
    expect(align(rows, lines([{ id: '10' }, { id: '2' }, { id: '31' }])).by).toBe('order');
  });

  it('is not decided by two fields that contradict each other', () => {
    const ranked = lines([
      { id: 1, rank: 2 },
      { id: 2, rank: 1 },
    ]);
    const outputs = lines([
      { id: 1, rank: 1 },
      { id: 2, rank: 2 },
    ]);
    expect(align(ranked, outputs).by).toBe('order');
  });

  it('is unknown without a field where the counts differ', () => {
    expect(align(rows, lines([{ a: 1 }, { a: 2 }]))).toEqual({
      by: 'none',
      entryOf: [undefined, undefined, undefined],
    });
  });
});
