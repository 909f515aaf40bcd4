import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src-main/base/json-value.ts';
import { addTest, type NewTest } from '../../../../src-main/domain/tests/add-test.ts';
import { parseTests } from '../../../../src-main/domain/tests/parse-tests.ts';

const small: NewTest = {
  name: 'new one',
  rows: [{ a: 1, text: 'x, y' }, { a: 2 }],
  mocks: { company: 'large' },
  cassette: 'flow.cassette.json',
  expect: { status: 'completed', rows: [{ b: [1, 'two'] }, null] },
};
const note = 'From run r, rows 1-2.';

const block = `  - name: new one
    # From run r, rows 1-2.
    rows:
      - { a: 1, text: "x, y" }
      - { a: 2 }
    mocks:
      company: large
    cassette: flow.cassette.json
    expect:
      status: completed
      rows:
        - { b: [1, two] }
        - null
`;

describe('a test is added', () => {
  it('to a new file', () => {
    expect(addTest(undefined, small, note)).toBe(`rowbench: 1\ntests:\n${block}`);
  });

  it('behind the others, with no other character changed', () => {
    const text = `# mine\ntests:   # odd\n  - name:   a\n    rows: []\n    expect: { status: completed }   # why\n`;
    expect(addTest(text, small, note)).toBe(text + block);
    expect(addTest(text.trimEnd(), small, note)).toBe(`${text.trimEnd()}\n${block.trimEnd()}`);
  });

  it('in front of keys that follow the list, at the indentation that the list has', () => {
    const text = `tests:\n- name: a\n  rows: []\n  expect: { status: completed }\n\nrowbench: 1\n`;
    const after = addTest(text, small, note);
    expect(after).toContain('expect: { status: completed }\n- name: new one\n');
    expect(after.endsWith('\n\nrowbench: 1\n')).toBe(true);
  });

  it('to a list in brackets and to JSON, whose form is kept', () => {
    const flow = addTest(`# mine\ntests: [{ name: a, rows: [], expect: { status: failed } }]\n`, small, note);
    expect([flow.startsWith('# mine\n'), parseTests(flow).tests?.length]).toEqual([true, 2]);
    const json = addTest('{"tests":[{"name":"a","rows":[],"expect":{"status":"failed"}}]}', small, note);
    expect((JSON.parse(json) as { tests: unknown[] }).tests[1]).toEqual(small);
  });

  it('with the line ends of the file', () => {
    const text = 'tests:\n  - name: a\n    rows: []\n    expect: { status: completed }\n'.replaceAll(
      '\n',
      '\r\n',
    );
    expect(addTest(text, small, note).replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('and read as it was given, whatever is in its rows', () => {
    const row = fc.dictionary(fc.string(), fc.jsonValue());
    const text = 'tests:\n  - name: a\n    rows: []\n    expect: { status: completed }\n';
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3 }), fc.string({ minLength: 1 }), (objects, name) => {
        const rows = JSON.parse(JSON.stringify(objects)) as JsonObject[];
        const test: NewTest = { name: `b${name}`, rows, expect: { status: 'completed', rows } };
        for (const before of [undefined, text]) {
          const added = parseTests(addTest(before, test, note)).tests?.at(-1);
          expect(JSON.stringify([added?.name, added?.rows, added?.expect.rows])).toBe(
            JSON.stringify([test.name, rows, rows]),
          );
        }
      }),
    );
  });
});

describe('a test that the file cannot hold is refused', () => {
  const refusal =
    'The file cannot hold this: it has at most 1,000,000 characters and 100 levels of lists and objects';
  const nested = (levels: number): JsonObject =>
    JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as JsonObject;

  it('for a row with too many levels', () => {
    const deep: NewTest = { ...small, rows: [nested(98)] };
    expect(() => addTest(undefined, deep, note)).toThrow(refusal);
    expect(addTest(undefined, { ...small, rows: [nested(90)] }, note)).toContain('new one');
  });

  it('for a file that grows too long', () => {
    const long: NewTest = { ...small, rows: [{ text: 'x'.repeat(999_900) }] };
    expect(() => addTest(undefined, long, note)).toThrow(refusal);
  });
});
