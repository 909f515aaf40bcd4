// Bodies in the form that a node names, and answers read in the form that it names.
import { describe, expect, it } from 'vitest';
import { readCassette } from '../../../src-main/domain/cassette/read-cassette.ts';
import { Recording } from '../../../src-main/domain/cassette/recording.ts';
import { emptyCassette } from '../../../src-main/domain/cassette/cassette.ts';
import type { UpstreamAnswer } from '../../../src-main/executor/ports.ts';
import { RecordingUpstream } from '../../../src-main/executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../../../src-main/executor/upstream/cassette/replaying-upstream.ts';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const flow = (request: string, own = ''): string => `
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "https://x.example/a", ${request} }${own} }
  - { id: out, type: output, fields: { got: =nodes.call.body } }`;

async function sent(request: string, row: object = {}) {
  const upstream = scriptedUpstream(() => jsonAnswer(1));
  const done = await runRows(flow(`method: POST, ${request}`), { pool: testPool(), rows: [row], upstream });
  return done.outcome.kind === 'failed' ? done.outcome.error : upstream.requests[0];
}

describe('a body', () => {
  it('is a web form: encoded, a list several times, null not at all', async () => {
    expect(
      await sent('bodyAs: form, body: { name: "=row.name", tag: [1, true], none: null }', {
        name: 'Zoë & Co',
      }),
    ).toMatchObject({
      body: 'name=Zo%C3%AB+%26+Co&tag=1&tag=true',
      headers: [['content-type', 'application/x-www-form-urlencoded']],
    });
  });

  it('is text as it is', async () => {
    expect(
      await sent('bodyAs: text, body: =row.xml, headers: { content-type: text/xml }', { xml: '<a>1</a>' }),
    ).toMatchObject({ body: '<a>1</a>', headers: [['content-type', 'text/xml']] });
  });

  it('is the bytes that Base64 stands for', async () => {
    expect(await sent('bodyAs: base64, body: =row.data', { data: 'iVBORw==' })).toMatchObject({
      body: 'iVBORw==',
      isBase64: true,
      headers: [['content-type', 'application/octet-stream']],
    });
    // Bytes that are text are sent as text, which a cassette can show.
    expect(await sent('bodyAs: base64, body: =row.data', { data: 'aMOp' })).toMatchObject({ body: 'hé' });
  });

  it('is multipart, with a boundary that depends on the content alone', async () => {
    const body = 'bodyAs: multipart, body: { note: "=row.note", scan: { file: "a\\"b.txt", base64: aMOp } }';
    const first = await sent(body, { note: 'one' });
    expect(first).toEqual(await sent(body, { note: 'one' }));
    const type = typeof first === 'object' ? first.headers[0]?.[1] : undefined;
    const boundary = /^multipart\/form-data; boundary=(rowbench-[0-9a-f]{32})$/.exec(type ?? '')?.[1];
    expect(first).toMatchObject({
      body: [
        `--${boundary}`,
        'Content-Disposition: form-data; name="note"',
        '',
        'one',
        `--${boundary}`,
        'Content-Disposition: form-data; name="scan"; filename="a%22b.txt"',
        'Content-Type: application/octet-stream',
        '',
        'hé',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    });
    expect(await sent(body, { note: 'two' })).not.toMatchObject({ headers: [['content-type', type]] });
  });

  it.each([
    ['bodyAs: form, body: =row.b', { b: [1] }, '"body" is a list, not an object'],
    ['bodyAs: form, body: =row.b', { b: { a: {} } }, '"a" in "body" is an object, not text'],
    ['bodyAs: text, body: =row.b', { b: 5 }, 'the body is a number, not text'],
    ['bodyAs: base64, body: =row.b', { b: 'a b' }, 'the body is not Base64'],
    [
      'bodyAs: multipart, body: =row',
      { a: { file: 'x', base64: '?' } },
      'the file "a" in "body" is not Base64',
    ],
    [
      'bodyAs: multipart, body: =row',
      { a: { file: 5, base64: '' } },
      'the name of the file "a" in "body" is a number',
    ],
    [
      'bodyAs: multipart, body: =row',
      { a: { file: 'x', type: 'a\r\nb', base64: '' } },
      'the type of the file "a" in "body" is not one such as application/pdf',
    ],
    [
      'bodyAs: form, body: =row, headers: { content-type: =row.type }',
      { type: 'text/xml' },
      'A form body has the content-type application/x-www-form-urlencoded, not text/xml',
    ],
    [
      'bodyAs: multipart, body: =row.b, headers: =row.headers',
      { b: {}, headers: { 'Content-Type': 'multipart/form-data' } },
      'Rowbench itself sets the content-type of a multipart body',
    ],
    ['bodyAs: base64, body: "=row.b.repeat(3400000)"', { b: 'AAAA' }, 'the body is longer than 10 MB'],
  ])('is refused where it cannot be sent so: %s %j', async (request, row, message) => {
    expect(await sent(request, row)).toContain(`Node "call" failed on row 1: ${message}`);
  });
});

describe('an answer', () => {
  async function got(answer: UpstreamAnswer, answerAs?: string) {
    const upstream = scriptedUpstream(() => answer);
    const text = flow('method: GET', answerAs === undefined ? '' : `, answerAs: ${answerAs}`);
    const done = await runRows(text, { pool: testPool(), rows: [{}], upstream });
    return done.outcome.kind === 'failed' ? done.outcome.error : (done.outputs[0] as { got: unknown }).got;
  }
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>Zo\xeb</a>', 'latin1');

  it.each([
    ['base64', answered('application/pdf', Buffer.from([0x25, 0xff, 0x00])), 'Jf8A'],
    ['text', jsonAnswer({ a: 1 }), '{"a":1}'],
    ['text', answered('text/xml', latin), '<?xml version="1.0" encoding="ISO-8859-1"?><a>Zoë</a>'],
    ['text', answered('text/plain; charset=windows-1252', Buffer.from([0x80])), '€'],
    ['json', answered('text/plain', '{"a":[1]}'), { a: [1] }],
  ])('is read as %s', async (answerAs, answer, value) => {
    expect(await got(answer, answerAs)).toEqual(value);
  });

  // They failed as invalid JSON.
  it.each([
    ['application/json', '', 200],
    ['application/json', '', 201],
    ['application/json', '', 204],
    ['application/problem+json', ' \r\n\t', 200],
    ['application/json', '\ufeff\n', 200],
    ['text/html', '\n', 200],
  ])('an empty or blank body as JSON is null (%s %j %i)', async (type, body, status) => {
    const answer = answered(type, body, { status });
    expect(await got(answer, 'json')).toBeNull();
    const isText = type === 'text/html';
    expect(await got(answer)).toBe(isText ? body : '');
    expect(await got(answer, 'text')).toBe(body.replace('\ufeff', ''));
  });

  it('in JSON of another character set names the form that reads it', async () => {
    const body = Buffer.from('{"name":"Zo\xeb"}', 'latin1');
    const answer = answered('application/json; charset=iso-8859-1', body);
    const message = 'answered with text that is not UTF-8: add answerAs: text, which reads it as iso-8859-1';
    expect(await got(answer)).toContain(message);
    expect(await got(answer, 'json')).toContain(message);
    expect(await got(answer, 'text')).toBe('{"name":"Zoë"}');
    expect(await got(answered('application/json; charset=klingon', body))).toContain('add answerAs: base64');
  });

  it.each([
    ['json', answered('application/json', '{'), 'answered with invalid JSON'],
    ['text', answered('text/plain; charset=klingon', 'a'), 'answered with text that is not klingon'],
    ['text', answered('text/plain', Buffer.from([0xff])), 'answered with text that is not UTF-8'],
  ])('fails the row where it is not %s', async (answerAs, answer, message) => {
    expect(await got(answer, answerAs)).toContain(message);
  });
});

it('bytes are recorded as Base64, and replayed', async () => {
  const recording = new Recording(emptyCassette);
  const recorder = {
    matchHeaders: ['content-type'],
    keepHeaders: [],
    add: async (call: Parameters<Recording['take']>[0]) => void recording.take(call),
    close: async () => undefined,
  };
  const live = scriptedUpstream(() => answered('image/png', Buffer.from([0x89, 0x50, 0xff])));
  const text = flow(
    'method: POST, bodyAs: multipart, body: { scan: { file: a.png, type: image/png, base64: =row.data } }',
    ', answerAs: base64',
  );
  const rows = [{ data: '/wD/' }];
  const clock = new VirtualClock(0);
  const upstream = new RecordingUpstream({ live, recorder, runId: 'run', clock });
  const recorded = await runRows(text, { pool: testPool(), rows, upstream });
  expect(recorded.outputs).toEqual([{ got: 'iVD/' }]);
  const read = readCassette(JSON.stringify(recording.cassette()));
  if ('problem' in read) throw new Error(read.problem);
  expect(read.cassette.entries).toMatchObject([
    { request: { base64: expect.any(String) as string }, responses: [{ base64: 'iVD/' }] },
  ]);
  const replaying = new ReplayingUpstream(read.cassette, 'the cassette');
  expect((await runRows(text, { pool: testPool(), rows, upstream: replaying })).outputs).toEqual(
    recorded.outputs,
  );
});
