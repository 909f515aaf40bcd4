// The examples of the node reference do what they look like.
import { expect, it } from 'vitest';
import { nodeTypes, type NodeType } from '../../../src-main/domain/nodes/catalogue.ts';
import { readTable } from '../../../src-main/domain/sources/table.ts';
import { testExecution, testPool } from '../../builders/execution-rig.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';

const company = jsonAnswer({ name: 'Example' });
const topic = jsonAnswer({ choices: [{ message: { content: '{ "topic": "billing" }' } }] });
const usage = { promptTokens: null, completionTokens: null, totalTokens: null, ms: 0 };

/** A row for each node type, and the expected value of the type's example. */
const shown: { readonly [T in NodeType]: readonly [row: object, value: unknown] } = {
  input: [
    { email: 'ada@example.com', tags: [] },
    { email: 'ada@example.com', tags: [] },
  ],
  set: [
    { email: 'ada@Example.com', name: 'Ada' },
    { host: 'example.com', title: 'Lead Ada' },
  ],
  code: [{ lines: [{ quantity: 2, price: 3 }] }, { sum: 6, lines: 1 }],
  switch: [{ total: 500 }, 'medium'],
  http: [
    { email: 'ada@example.com' },
    { status: 200, headers: { 'content-type': 'application/json' }, body: { name: 'Example' } },
  ],
  llm: [{ text: 'My invoice' }, { text: '{ "topic": "billing" }', json: { topic: 'billing' }, usage }],
  lookup: [{ country: 'de' }, { code: 'DE', name: 'Germany' }],
  workflow: [{ addresses: [{ street: 'Hof 1', city: 'Bonn' }] }, [{ line: 'Hof 1, Bonn' }]],
  delay: [{}, null],
  assert: [{ id: 1, total: 5 }, true],
  fail: [{}, null],
  output: [
    { email: 'ada@example.com', name: 'Ada', city: 'London' },
    { email: 'ada@example.com', label: 'Ada from London' },
  ],
};

const address = workflowOf('check-address', '', '{ line: "{{ row.street }}, {{ row.city }}" }');

it.each(Object.values(nodeTypes))('the example of $type runs', async ({ type, example }) => {
  const [row, value] = shown[type];
  const id = /id: (\w+)/.exec(example)?.[1] ?? '';
  const indented = example.replace(/^/gm, '  ');
  const isEnd = type === 'output';
  const text = `rowbench: 1
id: sample
nodes:
${type === 'input' ? '' : '  - { id: input, type: input }\n'}${indented}
${isEnd ? '' : `  - { id: out, type: output, fields: { value: "=nodes.${id}" } }`}
`;
  const tables = type === 'lookup' ? [readTable('countries.csv', 'code,name\nDE,Germany\n')] : [];
  const plan = planOfSet([text, address], {}, tables);
  const upstream = scriptedUpstream(({ method }) => (method === 'GET' ? company : topic));
  const clock = new VirtualClock(0);
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [row], upstream, clock });
  expect(await execution.run()).toEqual({ kind: 'completed' });
  expect(sink.outputs).toEqual([isEnd ? value : { value }]);
});
