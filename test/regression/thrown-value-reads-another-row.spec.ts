// A value that code threw was turned into text after the code of other rows had begun. Its getters read those rows'
// nodes, and drew from their random numbers.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src-main/base/virtual-clock.ts';
import { runRows, testPool } from '../builders/execution-rig.ts';
import { scriptedUpstream } from '../builders/scripted-upstream.ts';

const rows = ['A', 'B', 'C'].map((who) => ({ who }));

/** Code that throws an error whose message is computed when it is read. */
const throwing = (message: string): string =>
  `const e = new Error('x'); Object.defineProperty(e, 'message', { get() { return ${message}; } }); throw e;`;
const inExpression = (code: string): string => JSON.stringify(`=(() => { ${code} })()`);

/** @param node as YAML, without its id */
const workflow = (node: string): string => `
onRowError: skip
concurrency: 3
nodes:
  - { id: input, type: input }
  - { id: s, type: set, values: { who: "=row.who" } }
  - { id: together, type: delay, for: 1s }
  - { id: culprit, ${node} }
  - { id: out, type: output, after: [culprit], fields: { who: "=nodes.s.who" } }
`;
/** The rows come to the culprit without a wait. */
const withoutWait = (node: string): string => workflow(node).replace(/^.*id: together.*$/m, '');

const run = (text: string) =>
  runRows(text, {
    pool: testPool({ maxWorkers: 1 }),
    rows,
    clock: new VirtualClock(0),
    upstream: scriptedUpstream(() => ({ kind: 'failed', message: 'no answer' })),
  });

const own = throwing("'row ' + row.who + ' sees ' + nodes.s.who");
const value = inExpression(own);
const template = JSON.stringify(`https://x.example/{{ (() => { ${own} })() }}`);
const call = 'request: { url: "https://x.example" }';

describe('an error that is thrown by', () => {
  it.each([
    ['the URL of a call', withoutWait(`type: http, request: { url: ${value} }`)],
    ['the URL of a call after a wait', workflow(`type: http, request: { url: ${value} }`)],
    ['a URL in a text', withoutWait(`type: http, request: { url: ${template} }`)],
    [
      'the name of a model',
      withoutWait(
        `type: llm, baseUrl: "https://x.example", model: ${value}, messages: [{ role: user, content: hi }]`,
      ),
    ],
    ['a duration', withoutWait(`type: delay, for: ${value}`)],
    ['a last attempt', workflow(`type: set, retry: { attempts: 2, delay: 1s }, values: { n: ${value} }`)],
    ['the value in place of a call', workflow(`type: http, ${call}, onError: { value: ${value} }`)],
  ])('%s reads the nodes of its own row', async (_, text) => {
    const { failures } = await run(text);
    expect(failures.map(({ message }) => /row . sees ./.exec(message)?.[0])).toEqual([
      'row A sees A',
      'row B sees B',
      'row C sees C',
    ]);
  });

  it('the URL of a call draws from its own row', async () => {
    const drawing = (message: string): string => `
onRowError: skip
concurrency: 3
nodes:
  - { id: input, type: input }
  - { id: culprit, type: http, when: "row.who === 'A'", request: { url: ${inExpression(throwing(message))} } }
  - { id: awaits, type: code, after: [culprit], code: "const before = Math.random(); await null; await null; await null; return before + Math.random();" }
  - { id: out, type: output, fields: { n: "=nodes.awaits" } }
`;
    const quiet = await run(drawing("'x'"));
    const drawn = await run(drawing("'x'.repeat(1 + Math.random())"));
    expect(drawn.outputs).toEqual(quiet.outputs);
  });
});
