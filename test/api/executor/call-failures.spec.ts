// Which failures of calls are answers, and which are tried again.
import { describe, expect, it } from 'vitest';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { planOf, runRows, testExecution, testPool } from '../../builders/execution-rig.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';

const lost: UpstreamAnswer = { kind: 'failed', message: 'GET https://api.example.com/ was not answered' };
const refused: UpstreamAnswer = {
  ...lost,
  message: 'GET https://api.example.com/ is refused',
  isFinal: true,
};
const noToken: UpstreamAnswer = {
  ...lost,
  message: 'HTTP 503 from POST https://login.example/',
  isToken: true,
};
const status = (code: number): UpstreamAnswer => jsonAnswer({}, { status: code });
const call = (more: string): string =>
  `{ id: call, type: http, request: { url: "https://api.example.com/" }, ${more} }`;

/** Calls that a node makes when the first one fails so, and the others are answered. */
async function callsAfter(first: UpstreamAnswer, on: string): Promise<number> {
  const upstream = scriptedUpstream((_, nth) => (nth === 1 ? first : jsonAnswer('there')));
  const node = call(`retry: { attempts: 3, delay: 1ms, on: ${on} }, onError: { value: gone }`);
  const nodes = `nodes:\n  - { id: input, type: input }\n  - ${node}\n  - { id: out, type: output, fields: { a: 1 } }`;
  await runRows(nodes, { pool: testPool(), rows: [{}], upstream });
  return upstream.requests.length;
}

describe('retry.on', () => {
  it.each([
    ['a named status', status(404), '[404]', 2],
    ['another status', status(404), '[410, 5xx, network, answer]', 1],
    ['a status of a named class', status(503), '[5xx]', 2],
    ['a missing answer', lost, '[network]', 2],
    ['a missing answer that is not named', lost, '[4xx, 5xx]', 1],
    ['an answer that cannot be used', answered('application/json', '{'), '[answer]', 2],
    ['such an answer that is not named', answered('application/json', '{'), '[5xx, network]', 1],
    ['a status of the token endpoint', { ...noToken, status: 503 }, '[5xx]', 2],
    ['a missing answer of the token endpoint', noToken, '[network]', 2],
    ['a refused call', refused, '[4xx, 5xx, network, answer]', 1],
  ])('decides about %s', async (_, first, on, calls) => {
    expect(await callsAfter(first, on)).toBe(calls);
  });

  it('says in the error that a failure which it does not name was not tried again', async () => {
    const nodes = `nodes:\n  - { id: input, type: input }\n  - ${call('retry: { attempts: 3, delay: 1ms, on: [429] }')}
  - { id: out, type: output, fields: { a: "=nodes.call" } }`;
    const upstream = scriptedUpstream(() => status(500));
    const { failures } = await runRows(nodes, { pool: testPool(), rows: [{}], upstream });
    expect(failures).toMatchObject([
      { message: 'HTTP 500 from GET https://api.example.com/ (not retried)', attempts: 1 },
    ]);
  });

  it('always tries a mocked failure again', async () => {
    const mock = 'mock: { later: { attempts: [{ error: busy }, { value: there }] } }';
    const nodes = `rowbench: 1\nid: test\nnodes:\n  - { id: input, type: input }\n  - ${call(`retry: { attempts: 2, delay: 1ms, on: [429] }, ${mock}`)}
  - { id: out, type: output, fields: { got: "=nodes.call" } }`;
    const { execution, sink } = testExecution(planOf(nodes, { call: 'later' }), {
      pool: testPool(),
      rows: [{}],
    });
    await execution.run();
    expect(sink.outputs).toEqual([{ got: 'there' }]);
  });

  it('of a node that calls a workflow sees how the call inside failed', async () => {
    const plan = planOfSet([
      workflowOf(
        'outer',
        '  - { id: sub, type: workflow, workflow: inner, row: "=row", retry: { attempts: 3, delay: 1ms, on: [503] } }',
        '{ got: "=nodes.sub" }',
      ),
      workflowOf(
        'inner',
        `  - ${call('retry: { attempts: 2, delay: 1ms, on: [429] }')}`,
        '{ status: "=nodes.call.status" }',
      ),
    ]);
    const upstream = scriptedUpstream((_, nth) => status([503, 429, 500][nth - 1] ?? 200));
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
    await execution.run();
    expect(sink.failures).toMatchObject([{ attempts: 2 }]);
    expect(upstream.requests).toHaveLength(3);
  });
});

describe('expect', () => {
  it('makes all statuses of a class answers', async () => {
    const nodes = `nodes:\n  - { id: input, type: input }\n  - ${call('expect: [4xx], onError: { value: { status: failed } }')}
  - { id: out, type: output, fields: { got: "=nodes.call.status" } }`;
    const upstream = scriptedUpstream((_, nth) => status([404, 499, 500][nth - 1] ?? 200));
    const done = await runRows(nodes, { pool: testPool(), rows: [{}, {}, {}], upstream });
    expect(done.outputs).toEqual([{ got: 404 }, { got: 499 }, { got: 'failed' }]);
  });
});

describe('the error in the value of onError', () => {
  const seen = async (answer: UpstreamAnswer, more = ''): Promise<unknown> => {
    const nodes = `nodes:\n  - { id: input, type: input }\n  - ${call(`onError: { value: "=error" }${more}`)}
  - { id: next, type: set, values: { seen: "=nodes.call" } }
  - { id: out, type: output, fields: { got: "=nodes.next.seen" } }`;
    const done = await runRows(nodes, {
      pool: testPool(),
      rows: [{}],
      upstream: scriptedUpstream(() => answer),
    });
    return (done.outputs[0] as { got: unknown }).got;
  };
  const from = 'GET https://api.example.com/';

  it.each([
    [
      'the status and JSON of an answer',
      jsonAnswer({ message: 'none', ids: [7] }, { status: 404 }),
      { message: `HTTP 404 from ${from}: none`, status: 404, body: { message: 'none', ids: [7] } },
    ],
    [
      'the text of an answer',
      answered('text/html', '<p>no</p>', { status: 500 }),
      { message: `HTTP 500 from ${from}`, status: 500, body: '<p>no</p>' },
    ],
    [
      'the text of JSON that cannot be read',
      answered('application/json', '{"a":'),
      { message: `${from} answered with invalid JSON`, status: 200, body: '{"a":' },
    ],
    ['only the message of a call without an answer', lost, { message: `${from} was not answered` }],
  ])('has %s', async (_, answer, error) => {
    expect(await seen(answer)).toEqual(error);
  });

  it('is that of the last attempt', async () => {
    expect(await seen(status(503), ', retry: { attempts: 2, delay: 1ms, on: [429] }')).toMatchObject({
      message: `HTTP 503 from ${from} (not retried)`,
    });
  });

  it('comes out of a called workflow', async () => {
    const plan = planOfSet([
      workflowOf(
        'outer',
        '  - { id: sub, type: workflow, workflow: inner, row: "=row", onError: { value: "=error.body.why" } }',
        '{ got: "=nodes.sub" }',
      ),
      workflowOf('inner', `  - ${call('timeout: 9s')}`, '{ a: "=nodes.call" }'),
    ]);
    const upstream = scriptedUpstream(() => jsonAnswer({ why: 'closed' }, { status: 410 }));
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
    await execution.run();
    expect(sink.outputs).toEqual([{ got: 'closed' }]);
  });
});
