import { expect, it } from 'vitest';
import { previewValue } from '../../../../../src-main/domain/rows/preview-row.ts';
import { outlineOf } from '../../../../../src-main/domain/workflow/outline.ts';
import type { PreviewedNode, PreviewedRow } from '../../../../../src-main/domain/run/preview.ts';
import { lineValuesOf } from '../../../../../src-renderer/state/workflow/preview/line-values.ts';

const text = `rowbench: 1
id: w
nodes:
  - { id: input, type: input, fields: { email: {} } }
  - id: lead
    type: set
    values:
      host: "=row.email"
      list: [1]
    note: x
  - id: pair
    type: set
    values: { a: 1, b: "=row.email" }
  - { id: ask, type: delay, for: 1s }
  - id: result
    type: output
    fields:
      text: "=nodes.lead.host"
`;

const shown = (...nodes: readonly PreviewedNode[]): readonly string[] =>
  lineValuesOf(outlineOf(text).nodes, { number: 1, nodes }).map(
    ({ line, text: value, isError }) => `${line}${isError === true ? '!' : ''} ${value}`,
  );

it('nodes and the names of their values have a value at their lines', () => {
  expect(
    shown(
      { nodeId: 'input', state: 'done', value: previewValue({ email: 'a@b.example' }) },
      {
        nodeId: 'lead',
        state: 'done',
        from: 'mock',
        value: previewValue({ host: 'b', list: [1, { n: null }] }),
      },
      { nodeId: 'pair', state: 'done', value: previewValue({ a: 1, b: 'x', other: 2 }) },
    ),
  ).toEqual([
    '4 { email: "a@b.example" }',
    '8 "b"',
    '9 [1, { n: null }]',
    '5 mock: { host: "b", list: [1, { n: null }] }',
    '13 { a: 1, b: "x" }',
    '11 { a: 1, b: "x", other: 2 }',
  ]);
});

it('an error stands at the line that it names, and long values are cut', () => {
  const long = 'x'.repeat(400);
  const [cut, ...others] = shown(
    { nodeId: 'result', state: 'done', value: previewValue({ text: long }, 300) },
    { nodeId: 'lead', state: 'failed', error: { message: 'row.email is not a text', line: 8 } },
    { nodeId: 'pair', state: 'skipped' },
    { nodeId: 'ask', state: 'notCalled' },
    { nodeId: 'unknown', state: 'done', value: previewValue(1) },
  );
  expect(cut).toMatch(/^15 \{ text: "x+…$/);
  expect(cut?.length).toBeLessThan(110);
  expect(others).toEqual(['8! row.email is not a text', '11 skipped', '14 not called']);
});

it('expressions of the selected node have a value at their lines, whatever its key', () => {
  const flow = `rowbench: 1
id: w
nodes:
  - { id: input, type: input }
  - id: ask
    type: http
    when: row.n > 1
    request:
      url: https://a.example/{{ row.n }}
      headers:
        X-Email: "=row.email"
      query: { n: =row.n, page: =1 }
  - id: size
    type: switch
    cases:
      - when: row.n > 2
        value: =row.gone.x
`;
  const values = (fieldsOf: string, fields: PreviewedRow['fields'] = []): readonly string[] =>
    lineValuesOf(outlineOf(flow).nodes, { number: 1, nodes: [], fields }, fieldsOf).map(
      ({ line, text: value }) => `${line} ${value}`,
    );
  expect(
    values('ask', [
      { path: ['when'], value: previewValue(true) },
      { path: ['request', 'url'], value: previewValue('https://a.example/2') },
      { path: ['request', 'headers', 'x-email'], value: previewValue('a@b.example') },
      { path: ['request', 'query', 'n'], value: previewValue(2) },
      { path: ['request', 'query', 'page'], value: previewValue(1) },
    ]),
  ).toEqual(['7 true', '9 "https://a.example/2"', '11 "a@b.example"', '12 { n: 2, page: 1 }']);
  const cases = [
    { path: ['cases', 0, 'when'], value: previewValue(false) },
    { path: ['cases', 0, 'value'], error: 'row.gone is undefined' },
  ];
  expect(values('size', cases)).toEqual(['16 false']);
});
