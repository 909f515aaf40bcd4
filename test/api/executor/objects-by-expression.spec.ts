// Names with values, and lists of messages, that an expression gives.
import { describe, expect, it } from 'vitest';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const flow = (nodes: string, fields = '{ got: =nodes.made }'): string => `
nodes:
  - { id: input, type: input }
${nodes}
  - { id: out, type: output, fields: ${fields} }`;

async function outputOf(text: string, row: object) {
  const done = await runRows(text, { pool: testPool(), rows: [row] });
  return done.outcome.kind === 'failed' ? done.outcome.error : done.outputs[0];
}

describe('the values of a set node', () => {
  const set = '  - { id: made, type: set, values: "=row.values" }';

  it('are the members of the object that an expression gives', async () => {
    expect(await outputOf(flow(set), { values: { a: 1, b: { c: [2] } } })).toEqual({
      got: { a: 1, b: { c: [2] } },
    });
  });

  it.each([
    [{ values: [1] }, '"values" is a list, not an object'],
    [{ values: null }, '"values" is null, not an object'],
    [{}, '"values" is missing, not an object'],
  ])('fail the row where the expression gives %j', async (row, message) => {
    expect(await outputOf(flow(set), row)).toContain(`failed on row 1: ${message}`);
  });
});

describe('the fields of an output node', () => {
  const outputs = (fields: string, more = '') => flow('', `"=${fields}"${more}`);

  it('are the members of the object that an expression gives, for each row its own', async () => {
    const rows = [{ a: 1 }, { b: 'x', __proto__: null }, {}];
    const done = await runRows(outputs('({ ...row, n: row.a })'), { pool: testPool(), rows });
    expect(done.outputs).toEqual([{ a: 1, n: 1 }, { b: 'x' }, {}]);
  });

  it('fail the row where the expression gives no object', async () => {
    expect(await outputOf(outputs('row.a'), { a: 'text' })).toContain(
      'Node "out" failed on row 1: "fields" is a string, not an object',
    );
  });

  it.each([
    ['{ a: 1, b: 2 }', { a: 1, b: 2 }],
    ['null', {}],
  ])('are those of onError where the node fails: %s', async (value, output) => {
    expect(await outputOf(outputs('row.a', `, onError: { value: ${value} }`), { a: 5 })).toEqual(output);
  });

  it('are none where the node is skipped', async () => {
    expect(await outputOf(outputs('row', ', when: row.a > 1'), { a: 1 })).toEqual({});
  });
});

describe('a request by expressions', () => {
  async function callOf(request: string, row: object) {
    const upstream = scriptedUpstream(() => jsonAnswer(1));
    const node = `  - { id: made, type: http, request: { url: "https://api.example.com/a", ${request} } }`;
    const done = await runRows(flow(node), { pool: testPool(), rows: [row], upstream });
    return done.outcome.kind === 'failed' ? done.outcome.error : upstream.requests[0];
  }

  it('has the method, query and headers that they give', async () => {
    const request = 'method: "=row.method", query: "=row.query", headers: "=row.headers", body: "=row.body"';
    const row = {
      method: 'PATCH',
      query: { q: 'a b', tag: [1, 2], none: null },
      headers: { 'X-Trace': 'ü', 'x-none': null },
      body: { a: 1 },
    };
    expect(await callOf(request, row)).toMatchObject({
      method: 'PATCH',
      url: 'https://api.example.com/a?q=a%20b&tag=1&tag=2',
      headers: [
        ['x-trace', 'ü'],
        ['content-type', 'application/json'],
      ],
    });
  });

  it.each([
    [{ headers: { Host: 'evil.example' } }, 'Rowbench itself sets the header "host"'],
    [{ headers: { 'a b': '1' } }, '"a b" cannot be the name of a header'],
    [{ headers: { A: '1', a: '2' } }, 'The header "a" is there twice'],
    [{ headers: { a: 'line\nbreak' } }, 'the header "a" has a character that no header can carry'],
    [{ headers: { a: {} } }, 'the header "a" is an object, not text'],
    [{ headers: 'x: y' }, '"headers" is a string, not an object'],
  ])('is refused for headers that no file could have: %j', async (row, message) => {
    expect(await callOf('headers: "=row.headers"', row)).toContain(`failed on row 1: ${message}`);
  });

  it.each([
    ['TRACE', 'the method is "TRACE", not one of GET, HEAD'],
    [5, 'the method is a number, not one of GET, HEAD'],
    ['HEAD', 'a HEAD request has no body'],
  ])('is refused for the method %j', async (method, message) => {
    expect(await callOf('method: "=row.method", body: 1', { method })).toContain(message);
  });
});

describe('messages by an expression', () => {
  async function bodyOf(messages: unknown) {
    const upstream = scriptedUpstream(() => jsonAnswer({ choices: [{ message: { content: 'Yes' } }] }));
    const node =
      '  - { id: made, type: llm, baseUrl: "http://x.example", model: m, messages: "=row.messages" }';
    const done = await runRows(flow(node), { pool: testPool(), rows: [{ messages }], upstream });
    return done.outcome.kind === 'failed'
      ? done.outcome.error
      : (JSON.parse(upstream.requests[0]?.body ?? '') as object);
  }

  it('are sent in order', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello {{ name }}' },
    ];
    expect(await bodyOf(messages)).toEqual({ model: 'm', messages });
  });

  it.each([
    ['hello', '"messages" is a string, not a list'],
    [[], '"messages" is an empty list'],
    [['hello'], 'message 1 of "messages" is a string, not { role, content }'],
    [[{ role: 'robot', content: '' }], 'the role of message 1 of "messages" is not one of system, developer'],
    [[{ role: 'user', content: 5 }], 'the content of message 1 of "messages" is a number, not text'],
  ])('are refused where they are no messages: %j', async (messages, message) => {
    expect(await bodyOf(messages)).toContain(`failed on row 1: ${message}`);
  });
});
