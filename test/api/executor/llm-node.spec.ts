import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { planOf, runRows, testPool } from '../../builders/execution-rig.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const own = `baseUrl: "http://localhost:11434/v1/", model: llama3.2, messages: [{ role: user, content: "Sort {{ row.text }}" }]`;
const schema = 'json: { type: object, properties: { topic: { enum: [a, b] } }, required: [topic] }';

const nodesOf = (keys: string, value = '=nodes.ask'): string => `
nodes:
  - { id: input, type: input }
  - { id: ask, type: llm, ${keys} }
  - { id: out, type: output, fields: { got: "${value}" } }`;

const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };
const says = (content: unknown, more: object = {}): UpstreamAnswer =>
  jsonAnswer({
    choices: [{ message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }],
    usage,
  });

async function ask(answer: UpstreamAnswer, keys = own, row: object = { text: 'this' }) {
  const upstream = scriptedUpstream(() => answer);
  const clock = new VirtualClock(0);
  const done = await runRows(nodesOf(keys), { pool: testPool(), rows: [row], upstream, clock });
  const got = done.outcome.kind === 'failed' ? done.outcome.error : (done.outputs[0] as { got: unknown }).got;
  return { got, requests: upstream.requests };
}

describe('what an llm node asks', () => {
  it('is one chat completion, with the templates filled in and no more than the file says', async () => {
    const { requests } = await ask(says('a'));
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'http://localhost:11434/v1/chat/completions',
        headers: [['content-type', 'application/json']],
        body: '{"model":"llama3.2","messages":[{"role":"user","content":"Sort this"}]}',
        timeoutMs: 120_000,
      },
    ]);
  });

  it('shows images beside the text, and passes further parameters on', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    const keys = `${own.replace('}]', ', images: [=row.photo, "https://images.example/{{ row.text }}.png"] }]')}, parameters: { top_p: 0.9, seed: =row.n }`;
    const { requests } = await ask(says('a'), keys, { text: 'this', photo: image, n: 7 });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      top_p: 0.9,
      seed: 7,
      model: 'llama3.2',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Sort this' },
            { type: 'image_url', image_url: { url: image } },
            { type: 'image_url', image_url: { url: 'https://images.example/this.png' } },
          ],
        },
      ],
    });
    const list = `${own.replace(/messages: .*/, `messages: "=[{ role: 'user', content: row.text, images: [row.photo] }]"`)}`;
    const { requests: computed } = await ask(says('a'), list, { text: 'this', photo: image });
    expect(computed[0]?.body).toContain(image);
  });

  it.each([
    [
      `${own.replace('}]', ', images: [=row.photo] }]')}`,
      { photo: 'file:///etc/passwd' },
      'an image of message 1',
    ],
    [`${own.replace('}]', ', images: [=row.photo] }]')}`, {}, 'an image of message 1'],
    [`${own}, parameters: =row.more`, { more: { tools: [] } }, '"tools" is no further parameter'],
    [`${own}, parameters: =row.more`, { more: 3 }, '"parameters" is a number'],
  ])('refuses %s for a row %j', async (keys, row, message) => {
    const { got, requests } = await ask(says('a'), keys, { text: 'this', ...row });
    expect(got).toContain(message);
    expect(requests).toEqual([]);
  });

  it('cannot have a parameter that has a key of its own', () => {
    expect(() => planOf(nodesOf(`${own}, parameters: { max_tokens: 3 }`))).toThrow('use the key "maxTokens"');
    expect(() => planOf(nodesOf(`${own}, parameters: { stream: true }`))).toThrow('an answer comes whole');
    expect(() => planOf(nodesOf(`${own}, parameters: { response_format: {} }`))).toThrow(
      'use the key "json"',
    );
  });

  it('names the schema, the bounds and the secret that the file names', async () => {
    const keys = `${own}, ${schema}, temperature: 0.5, maxTokens: 50, auth: { secret: MODEL_KEY }, timeout: 9s`;
    const { requests } = await ask(says('{"topic":"a"}'), keys);
    expect(requests).toMatchObject([{ auth: { secret: 'MODEL_KEY' }, timeoutMs: 9000 }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      model: 'llama3.2',
      messages: [{ role: 'user', content: 'Sort this' }],
      temperature: 0.5,
      max_tokens: 50,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          schema: { type: 'object', properties: { topic: { enum: ['a', 'b'] } }, required: ['topic'] },
        },
      },
    });
  });

  it.each([
    ['json: true', { type: 'json_object' }],
    [`${schema}, parameters: { response_format: { type: json_object } }`, { type: 'json_object' }],
    [`${schema}, parameters: { response_format: null }`, undefined],
    [`${schema}, parameters: "=({ response_format: { type: 'json_object' } })"`, { type: 'json_object' }],
  ])('asks for JSON as %s says', async (keys, format) => {
    const { got, requests } = await ask(says('{"topic":"a"}'), `${own}, ${keys}`);
    expect((JSON.parse(requests[0]?.body ?? '') as { response_format?: unknown }).response_format).toEqual(
      format,
    );
    expect(got).toMatchObject({ json: { topic: 'a' } });
  });

  it.each([
    ['baseUrl: "=row.base", model: m', {}, 'the url is missing, not text'],
    ['baseUrl: "http://x.example", model: "=row.model"', { model: 3 }, 'the model is a number, not a name'],
    ['baseUrl: "http://x.example", model: "{{ row.model }}"', {}, 'the model is empty, not a name'],
  ])('is refused before any call: %s and %j', async (keys, row, message) => {
    const { got, requests } = await ask(says('a'), `${keys}, messages: [{ role: user, content: hi }]`, row);
    expect(got).toBe(`Node "ask" failed on row 1: ${message}`);
    expect(requests).toEqual([]);
  });
});

describe('the value of an llm node', () => {
  const counted = { promptTokens: 7, completionTokens: 2, totalTokens: 9, ms: 0 };

  it('has the text as it came, and the tokens and the time that it took', async () => {
    const text = '<img onerror=x> ![](https://evil.example?d=1) \u001b[31m {{ row.text }} =row.text';
    expect((await ask(says(text))).got).toEqual({ text, usage: counted });
  });

  it('has null for tokens that the server does not count', async () => {
    const answer = jsonAnswer({ choices: [{ message: { content: 'a' } }], usage: { prompt_tokens: -1 } });
    const none = { promptTokens: null, completionTokens: null, totalTokens: null, ms: 0 };
    expect((await ask(answer)).got).toEqual({ text: 'a', usage: none });
  });

  it('has the JSON of the schema beside its text', async () => {
    const text = '{ "topic": "b", "__proto__": { "x": 1 } }';
    const nodes = nodesOf(
      `${own}, ${schema}`,
      '=[nodes.ask.json.topic, Object.keys(nodes.ask.json), nodes.ask.json.x]',
    );
    const upstream = scriptedUpstream(() => says(text));
    const done = await runRows(nodes, { pool: testPool(), rows: [{ text: '' }], upstream });
    expect(done.outputs).toEqual([{ got: ['b', ['topic', '__proto__'], null] }]);
  });

  it.each([
    ['{"topic":"a"}', { topic: 'a' }],
    ['<think>Is it {"topic":"b"}?</think>\n{"topic":"a"}', { topic: 'a' }],
    ['Here it is:\n```json\n{"topic":"a"}\n```\nAnything else?', { topic: 'a' }],
    ['<think>```\n1\n```</think>```\n{"topic":"a"}\n```', { topic: 'a' }],
    ['```\n{"topic":"a"}\n```\n```\n{"topic":"b"}\n```', 'invalid JSON: "```'],
    ['{"topic":"a",}', 'invalid JSON: "{\\"topic\\":\\"a\\",}"'],
    ['It is {"topic":"a"}.', 'invalid JSON: "It is'],
    ['```json\n{"topic":"c"}\n```', 'the model answered in another form'],
  ])('reads the JSON in %j', async (text, expected) => {
    const { got } = await ask(says(text), `${own}, ${schema}`);
    if (typeof expected === 'string') expect(got).toContain(expected);
    else expect(got).toMatchObject({ text, json: expected });
  });

  it('joins the parts of an answer, and names a content filter', async () => {
    expect(
      (
        await ask(
          says([
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ]),
        )
      ).got,
    ).toMatchObject({ text: 'ab' });
    const filtered = jsonAnswer({
      choices: [{ message: { content: null }, finish_reason: 'content_filter' }],
    });
    expect((await ask(filtered)).got).toContain('its content filter stopped the answer');
  });

  it('counts the time of the call by the clock of the run', async () => {
    const clock = new VirtualClock(0);
    const upstream = scriptedUpstream(async () => {
      clock.setTimer(250, () => undefined);
      clock.skip();
      return says('a');
    });
    const done = await runRows(nodesOf(own, '=nodes.ask.usage.ms'), {
      pool: testPool(),
      rows: [{}],
      upstream,
      clock,
    });
    expect(done.outputs).toEqual([{ got: 250 }]);
  });
});

describe('an answer of a model that fails the attempt', () => {
  const of = 'POST http://localhost:11434/v1/chat/completions';

  it.each([
    [
      'a status',
      jsonAnswer({ error: { message: 'no such model' } }, { status: 404 }),
      `HTTP 404 from ${of}: no such model`,
    ],
    [
      'a page',
      answered('text/html', '<html>'),
      `${of} answered with text/html, not JSON: is the base URL right?`,
    ],
    [
      'a stream',
      answered('text/event-stream', 'data: {}'),
      `${of} answered with a stream, which was not requested`,
    ],
    ['half of it', answered('application/json', '{"choices":['), `${of} answered with invalid JSON`],
    ['no choices', jsonAnswer({ choices: [] }), `${of} answered without a choice`],
    ['an error with 200', jsonAnswer({ error: 'overloaded' }), `${of} answered without a choice: overloaded`],
    ['a list', jsonAnswer([1]), `${of} answered without a choice`],
    ['a refusal', says(null, { refusal: 'I will\nnot' }), 'the model refused: I will not'],
    ['tool calls', says(null, { tool_calls: [{}] }), 'the model tried to call a tool, but has none'],
    ['no text', says(null), `${of} answered without text (stop)`],
  ])('%s', async (_, answer, message) => {
    expect((await ask(answer)).got).toBe(`Node "ask" failed on row 1: ${message}`);
  });

  it.each([
    [
      'no JSON',
      says('Sure! {"topic":"a"}'),
      'the model answered with invalid JSON: "Sure! {\\"topic\\":\\"a\\"}"',
    ],
    ['nothing', says(''), 'the model answered with invalid JSON: ""'],
    [
      'another form',
      says('{"topic":"c"}'),
      'the model answered in another form: answer.topic is none of "a", "b"',
    ],
    [
      'JSON a million levels deep',
      says('['.repeat(1e6) + ']'.repeat(1e6)),
      'the model answered with JSON that is nested deeper than 100 levels',
    ],
    ['1e400', says('{"topic":1e400}'), 'the model answered with a number that is too large'],
    [
      'the first part',
      jsonAnswer({ choices: [{ message: { content: '1' }, finish_reason: 'length' }] }),
      'the model ran out of tokens before its JSON was complete',
    ],
  ])('with a schema: %s', async (_, answer, message) => {
    expect((await ask(answer, `${own}, ${schema}`)).got).toBe(`Node "ask" failed on row 1: ${message}`);
  });

  it('is asked for again by retry, and replaced by onError', async () => {
    const upstream = scriptedUpstream((_, nth) => says(nth === 2 ? '{"topic":"a"}' : 'hm'));
    const keys = `${own}, ${schema}, retry: { attempts: 2, delay: 0s }, onError: { value: { json: { topic: none } } }`;
    const nodes = nodesOf(keys, '=nodes.ask.json.topic');
    const done = await runRows(nodes, {
      pool: testPool(),
      rows: [{}, {}],
      upstream,
      plan: planOf(`concurrency: 1${nodes}`),
    });
    expect(done.outputs).toEqual([{ got: 'a' }, { got: 'none' }]);
  });
});

describe('the tokens of an llm node', () => {
  it('are counted by row and by node, of answers that came to nothing too', async () => {
    const upstream = scriptedUpstream((_, nth) => says(nth === 2 ? '{"topic":"a"}' : 'hm'));
    const keys = `${own}, ${schema}, retry: { attempts: 2, delay: 0s }, onError: { value: none }`;
    const done = await runRows(nodesOf(keys), {
      pool: testPool(),
      rows: [{}, {}],
      upstream,
      plan: planOf(`concurrency: 1${nodesOf(keys)}`),
    });
    const node = done.nodes.find(({ nodeId }) => nodeId === 'ask');
    expect(node).toMatchObject({ done: 1, replaced: 1, tokens: { prompt: 28, completion: 8 } });
    expect(done.nodes.filter(({ tokens }) => tokens !== undefined)).toEqual([node]);
    expect(done.traces.map(({ tokens }) => [...tokens])).toEqual([
      [[1, { prompt: 14, completion: 4 }]],
      [[1, { prompt: 14, completion: 4 }]],
    ]);
  });

  it('cannot be more than can be counted, whatever a server says', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const upstream = scriptedUpstream(() =>
      jsonAnswer({
        choices: [{ message: { content: 'a' } }],
        usage: { prompt_tokens: most, completion_tokens: 1e300 },
      }),
    );
    const rows = Array.from({ length: 40 }, () => ({}));
    const done = await runRows(nodesOf(own), { pool: testPool(), rows, upstream });
    expect(done.outcome.kind).toBe('completed');
    expect(done.nodes[1]).toMatchObject({ done: 40, tokens: { prompt: most, completion: 0 } });
  });
});
