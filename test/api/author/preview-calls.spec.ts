// Calls of drafts: a preview makes none by itself, and one for a click.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftFlow, nodeOf, previewDraft, statesOf, textsOf } from '../../builders/draft-preview.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { json, startUpstream, type UpstreamAnswerer } from '../../builders/upstream-server.ts';

const asking = (url: string, more = ''): string =>
  draftFlow(`  - id: ask
    type: http
    request: { url: "${url}/{{ row.n }}" }
${more}
  - { id: size, type: set, values: { size: =nodes.ask.body.size } }
  - { id: own, type: set, values: { n: =row.n } }
  - { id: result, type: output, fields: { size: =nodes.size.size, n: =nodes.own.n } }`);

async function openAsking(more = '', routes: Parameters<typeof startUpstream>[0] = {}) {
  const upstream = await startUpstream({ '/1': json({ size: 10 }), '/2': json({ size: 20 }), ...routes });
  const draft = asking(upstream.url(''), more);
  const services = await openTestServices({ flow: draft });
  await services.trust.grant('flow', { allow: ['loopback'], deny: [] });
  return { upstream, services, draft };
}

it('60 edits make no call, and one click makes one', async () => {
  const { upstream, services, draft } = await openAsking();
  for (let edit = 0; edit < 60; edit += 1) {
    const mode = (['mocks', 'recorded', 'off'] as const)[edit % 3] ?? 'off';
    const { rows } = await previewDraft(services, draft.replace('n: =row.n', `n: "=row.n + ${edit}"`), {
      mode,
    });
    expect(statesOf(rows, 'ask')).toEqual(['notCalled', 'notCalled', 'notCalled']);
  }
  expect(upstream.calls).toHaveLength(0);
  const once = await services.previews.call({ workflowId: 'flow', text: draft, row: 2, nodeId: 'ask' });
  expect(upstream.calls.map(({ path }) => path)).toEqual(['/2']);
  expect(once).toMatchObject({ answer: { status: 200, bytes: 11, text: '{"size":20}' } });
  expect(once.row.output?.text).toBe('{"size":20,"n":2}');
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[1]).toMatchObject({ state: 'done', from: 'called' });
  expect(textsOf(rows, 'size')).toEqual([undefined, '{"size":20}', undefined]);
  expect(upstream.calls).toHaveLength(1);
});

it('a call that is not made shows its method, host and secret, and hides what would read its answer', async () => {
  const { upstream, services, draft } = await openAsking(
    '    auth: { secret: CRM_TOKEN }\n    onError: { value: { body: { size: 0 } } }',
  );
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[0]).toEqual({
    nodeId: 'ask',
    state: 'notCalled',
    call: {
      method: 'GET',
      url: upstream.url('/1'),
      host: `127.0.0.1:${upstream.port}`,
      secrets: ['CRM_TOKEN'],
    },
  });
  expect(statesOf(rows, 'size')).toEqual(['notReached', 'notReached', 'notReached']);
  expect(textsOf(rows, 'own')).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  expect(rows[0]?.output).toBeUndefined();
  expect(rows[0]?.error).toBeUndefined();
});

it('mocks answer first, then the cassette', async () => {
  const { upstream, services, draft } = await openAsking('    mock: { small: { body: { size: 1 } } }');
  const mocked = await previewDraft(services, draft);
  expect(nodeOf(mocked.rows, 'ask')[0]).toMatchObject({ state: 'done', from: 'mock' });
  expect(textsOf(mocked.rows, 'size')).toEqual(Array.from({ length: 3 }, () => '{"size":1}'));
  const cassette = join(services.dataDir, 'workflows', 'flow.cassette.json');
  const entries = [1, 2].map((n) => ({
    request: { method: 'GET', url: upstream.url(`/${n}`) },
    responses: [n === 1 ? { status: 200, json: { size: 5 } } : { failed: 'no route to the host' }],
  }));
  await writeFile(cassette, JSON.stringify({ rowbench: 1, entries }));
  const recorded = await previewDraft(services, draft, { mode: 'recorded' });
  expect(nodeOf(recorded.rows, 'ask').map(({ state, from }) => ({ state, from }))).toEqual([
    { state: 'done', from: 'recorded' },
    { state: 'failed', from: 'recorded' },
    { state: 'notCalled', from: undefined },
  ]);
  const off = await previewDraft(services, draft, { mode: 'off' });
  expect(statesOf(off.rows, 'ask')).toEqual(['notCalled', 'notCalled', 'notCalled']);
  await writeFile(cassette, '{}');
  const broken = await previewDraft(services, draft, { mode: 'recorded' });
  expect(nodeOf(broken.rows, 'ask')[0]?.error?.message).toContain('cannot be read');
  expect(upstream.calls).toHaveLength(0);
});

it('a click masks the secret, keeps to the grants, and needs a row that was previewed', async () => {
  const { services, draft } = await openAsking('    auth: { secret: CRM_TOKEN }', {
    '/1': ({ headers }, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ size: headers.authorization })),
  });
  const click = (row: number, nodeId = 'ask') =>
    services.previews.call({ workflowId: 'flow', text: draft, row, nodeId });
  await expect(click(1)).rejects.toMatchObject({ code: 'invalid_input' });
  await previewDraft(services, draft);
  expect(await click(1)).toMatchObject({ problem: expect.stringContaining('CRM_TOKEN') as string });
  const { port } = new URL(/http:[^"{]+/.exec(draft)?.[0] ?? '');
  await services.secrets.set({
    name: 'CRM_TOKEN',
    value: 'a-long-secret-value',
    hosts: [`127.0.0.1:${port}`],
  });
  const shown = await click(1);
  expect(shown).toMatchObject({ answer: { status: 200 } });
  expect(JSON.stringify(shown)).not.toContain('a-long-secret-value');
  expect(await click(1, 'own')).toMatchObject({
    problem: expect.stringContaining('makes no call') as string,
  });
  expect(await click(2, 'size')).toMatchObject({
    problem: expect.stringContaining('call "ask" first') as string,
  });
  await services.trust.grant('flow', { allow: [], deny: ['loopback'] });
  expect(await click(2)).toMatchObject({ problem: expect.stringContaining('loopback') as string });
});

it('a click sends the cookies of the clicks before it, and neither a preview nor a cassette shows them', async () => {
  const whoAmI: UpstreamAnswerer = (call, response) =>
    json({ size: call.headers.cookie ?? 'none' })(call, response);
  const upstream = await startUpstream({
    '/login': (_, response) =>
      void response.writeHead(302, { location: '/home', 'set-cookie': 'sid=secret-1' }).end(),
    '/home': (_, response) => void response.writeHead(204, { 'set-cookie': 'page=secret-2' }).end(),
    '/1': whoAmI,
  });
  const draft = draftFlow(`  - id: login
    type: http
    session: crm
    request: { method: POST, url: "${upstream.url('/login')}" }
  - id: ask
    type: http
    session: crm
    after: login
    request: { url: "${upstream.url('/{{ row.n }}')}" }
  - { id: result, type: output, fields: { known: =nodes.ask.body.size !== 'none' } }`);
  const services = await openTestServices({ flow: draft });
  await services.trust.grant('flow', { allow: ['loopback'], deny: [] });
  const click = (nodeId: string) =>
    services.previews.call({ workflowId: 'flow', text: draft, row: 1, nodeId });
  await previewDraft(services, draft);
  const login = await click('login');
  const cookiesSent = () => upstream.calls.map(({ path, headers }) => [path, headers.cookie]);
  expect(cookiesSent()).toEqual([
    ['/login', undefined],
    ['/home', 'sid=secret-1'],
  ]);
  await click('ask');
  await previewDraft(services, draft);
  // Another click of the same call has the cookies of the login alone, as a run of the row would.
  await services.previews.call({ workflowId: 'flow', text: draft, row: 1, nodeId: 'ask', isAgain: true });
  expect(cookiesSent().slice(2)).toEqual([
    ['/1', 'sid=secret-1; page=secret-2'],
    ['/1', 'sid=secret-1; page=secret-2'],
  ]);
  expect(JSON.stringify(login)).not.toContain('secret-');
  await services.previews.keepAnswer({ workflowId: 'flow', row: 1, nodeId: 'login' });
  const written = await readFile(join(services.dataDir, 'workflows', 'flow.cassette.json'), 'utf8');
  expect(written).not.toContain('secret-');
});

it('equal calls of rows that have signed in apart have answers and cookies of their own', async () => {
  const signIn: UpstreamAnswerer = ({ path }, response) =>
    void response.writeHead(204, { 'set-cookie': `sid=${path.slice(-1)}; Path=/` }).end();
  const upstream = await startUpstream({
    '/login/1': signIn,
    '/login/2': signIn,
    // Its first answer asks for another attempt, and sets a cookie.
    '/me': ({ nth, headers }, response) =>
      void response
        .writeHead(nth === 0 ? 500 : 200, { 'content-type': 'application/json', 'set-cookie': 'me=seen' })
        .end(JSON.stringify({ sid: /sid=(.)/.exec(headers.cookie ?? '')?.[1] })),
  });
  const draft = draftFlow(`  - id: login
    type: http
    session: crm
    request: { method: POST, url: "${upstream.url('/login/{{ row.n }}')}" }
  - id: ask
    type: http
    session: crm
    after: login
    request: { url: "${upstream.url('/me')}" }
${retrying(2)}
  - { id: result, type: output, fields: { sid: =nodes.ask.body.sid } }`);
  const services = await openTestServices({ flow: draft });
  await services.trust.grant('flow', { allow: ['loopback'], deny: [] });
  const click = (row: number, nodeId: string) =>
    services.previews.call({ workflowId: 'flow', text: draft, row, nodeId });
  await previewDraft(services, draft);
  await click(1, 'login');
  await click(1, 'ask');
  await click(2, 'login');
  const { rows } = await previewDraft(services, draft);
  expect(statesOf(rows, 'ask')).toEqual(['done', 'notCalled', 'notReached']);
  await click(2, 'ask');
  expect(upstream.calls.map(({ path, headers }) => [path, headers.cookie])).toEqual([
    ['/login/1', undefined],
    ['/me', 'sid=1'],
    ['/me', 'sid=1; me=seen'],
    ['/login/2', undefined],
    ['/me', 'sid=2'],
  ]);
  const both = await previewDraft(services, draft);
  expect(both.rows.map(({ output }) => output?.text)).toEqual(['{"sid":"1"}', '{"sid":"2"}', undefined]);
  services.previews.forgetAnswer({ workflowId: 'flow', row: 2, nodeId: 'ask' });
  expect(statesOf((await previewDraft(services, draft)).rows, 'ask')).toEqual([
    'done',
    'notCalled',
    'notReached',
  ]);
});

it('an answer is kept in the cassette as a recording is, with its secret masked, and answers from then on', async () => {
  const { upstream, services, draft } = await openAsking('    auth: { secret: CRM_TOKEN }', {
    '/1': ({ headers }, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b', date: 'today' })
        .end(JSON.stringify({ size: 10, from: headers.authorization })),
  });
  const hosts = [`127.0.0.1:${upstream.port}`];
  await services.secrets.set({ name: 'CRM_TOKEN', value: 'a-long-secret-value', hosts });
  await previewDraft(services, draft);
  const address = { workflowId: 'flow', row: 1, nodeId: 'ask' };
  await expect(services.previews.keepAnswer(address)).rejects.toMatchObject({ code: 'invalid_input' });
  await services.previews.call({ ...address, text: draft });
  expect(await services.previews.keepAnswer(address)).toEqual({ cassette: 'flow.cassette.json' });
  const written = await readFile(join(services.dataDir, 'workflows', 'flow.cassette.json'), 'utf8');
  expect(written).not.toContain('a-long-secret-value');
  expect(JSON.parse(written)).toMatchObject({
    entries: [
      {
        request: { method: 'GET', url: upstream.url('/1') },
        responses: [
          {
            status: 200,
            headers: { 'content-type': 'application/json' },
            json: { size: 10, from: 'Bearer [secret CRM_TOKEN]' },
          },
        ],
      },
    ],
  });
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[0]).toMatchObject({ state: 'done', from: 'recorded' });
  await expect(services.previews.keepAnswer(address)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(upstream.calls).toHaveLength(1);
});

/** Answers with these statuses, one call after the other; the last one repeats. */
const answering =
  (...statuses: readonly number[]): UpstreamAnswerer =>
  ({ nth }, response) => {
    const status = statuses[Math.min(nth, statuses.length - 1)] ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"size":10}');
  };

const retrying = (attempts: number, delay = '1ms'): string =>
  `    retry: { attempts: ${attempts}, delay: ${delay} }`;
const address = { workflowId: 'flow', row: 1, nodeId: 'ask' };

it('a call that is asked for has the attempts of its node, and no call more', async () => {
  const { upstream, services, draft } = await openAsking(retrying(3), { '/1': answering(500, 500, 200) });
  const before = await previewDraft(services, draft);
  expect(nodeOf(before.rows, 'ask')[0]).toMatchObject({ state: 'notCalled', call: { maxAttempts: 3 } });
  const made = await services.previews.call({ ...address, text: draft });
  expect(made).toMatchObject({
    answer: { status: 200 },
    attempts: [{ status: 500 }, { status: 500 }, { status: 200 }],
  });
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[0]).toMatchObject({ state: 'done', from: 'called', called: { maxAttempts: 3 } });
  expect(upstream.calls.map(({ path }) => path)).toEqual(['/1', '/1', '/1']);
});

it('a call that fails in all attempts stops there, and later previews make none of them again', async () => {
  const { upstream, services, draft } = await openAsking(retrying(2), { '/1': answering(500) });
  await previewDraft(services, draft);
  const made = await services.previews.call({ ...address, text: draft });
  expect(made).toMatchObject({ answer: { status: 500 }, attempts: [{ status: 500 }, { status: 500 }] });
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[0]).toMatchObject({ state: 'failed', from: 'called' });
  expect(upstream.calls).toHaveLength(2);
});

it('an attempt whose pause is too long to wait for is not made, and the answer says so', async () => {
  const { upstream, services, draft } = await openAsking(retrying(3, '1h'), { '/1': answering(500, 200) });
  await previewDraft(services, draft);
  const made = await services.previews.call({ ...address, text: draft });
  expect(made).toMatchObject({ attempts: [{ status: 500 }], skippedPauseMs: 3_600_000 });
  expect(upstream.calls).toHaveLength(1);
});

it('one item of each is called, with its attempts, and the others are not', async () => {
  const upstream = await startUpstream({ '/a': answering(500, 200), '/b': answering(200) });
  const draft = draftFlow(`  - id: ask
    type: http
    each: "=['a', 'b']"
    request: { url: "${upstream.url('')}/{{ item }}" }
${retrying(3)}
  - { id: result, type: output, fields: { sizes: "=nodes.ask.length" } }`);
  const services = await openTestServices({ flow: draft });
  await services.trust.grant('flow', { allow: ['loopback'], deny: [] });
  await previewDraft(services, draft);
  await services.previews.call({ ...address, text: draft });
  expect(upstream.calls.map(({ path }) => path)).toEqual(['/a', '/a']);
  // The next click makes the call that is shown as not made, and not the first one again.
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[0]).toMatchObject({ state: 'notCalled', call: { url: upstream.url('/b') } });
  await services.previews.call({ ...address, text: draft });
  expect(upstream.calls.map(({ path }) => path)).toEqual(['/a', '/a', '/b']);
  await services.previews.call({ ...address, text: draft, isAgain: true });
  expect(upstream.calls.map(({ path }) => path)).toEqual(['/a', '/a', '/b', '/a']);
});

it('a call can be made again, and its answer can be forgotten, without a restart', async () => {
  const { upstream, services, draft } = await openAsking('', { '/1': answering(500, 500, 200) });
  await previewDraft(services, draft);
  await services.previews.call({ ...address, text: draft });
  const once = await previewDraft(services, draft);
  expect(nodeOf(once.rows, 'ask')[0]).toMatchObject({ state: 'failed', from: 'called' });
  await services.previews.call({ ...address, text: draft, isAgain: true });
  const failed = await previewDraft(services, draft);
  expect(nodeOf(failed.rows, 'ask')[0]).toMatchObject({ state: 'failed', from: 'called' });
  const again = await services.previews.call({ ...address, text: draft, isAgain: true });
  expect(again).toMatchObject({ answer: { status: 200 }, attempts: [{ status: 200 }] });
  expect(textsOf((await previewDraft(services, draft)).rows, 'size')[0]).toBe('{"size":10}');
  services.previews.forgetAnswer(address);
  const forgotten = await previewDraft(services, draft);
  expect(nodeOf(forgotten.rows, 'ask')[0]).toMatchObject({ state: 'notCalled' });
  expect(upstream.calls).toHaveLength(3);
});

it('a call without an answer drops the answer of the call before it', async () => {
  const { upstream, services, draft } = await openAsking();
  await previewDraft(services, draft);
  await services.previews.call({ ...address, text: draft });
  await upstream.close();
  expect(await services.previews.call({ ...address, text: draft, isAgain: true })).toMatchObject({
    problem: expect.any(String) as string,
    attempts: [{ problem: expect.any(String) as string }],
  });
  const { rows } = await previewDraft(services, draft);
  expect(nodeOf(rows, 'ask')[0]).toMatchObject({ state: 'notCalled' });
});

it('a recording that is newer than the answer of a call takes its place, and an older one does not', async () => {
  const { upstream, services, draft } = await openAsking('', { '/1': answering(500) });
  const cassette = join(services.dataDir, 'workflows', 'flow.cassette.json');
  const record = (size: number) =>
    writeFile(
      cassette,
      JSON.stringify({
        rowbench: 1,
        entries: [
          {
            request: { method: 'GET', url: upstream.url('/1') },
            recordedAt: '2026-01-01T00:00:00.000Z',
            responses: [{ status: 200, json: { size } }],
          },
        ],
      }),
    );
  await record(1);
  await previewDraft(services, draft, { mode: 'off' });
  await services.previews.call({ ...address, text: draft });
  const older = await previewDraft(services, draft, { mode: 'recorded' });
  expect(nodeOf(older.rows, 'ask')[0]).toMatchObject({ state: 'failed', from: 'called' });
  await record(2);
  const newer = await previewDraft(services, draft, { mode: 'recorded' });
  expect(nodeOf(newer.rows, 'ask')[0]).toMatchObject({ state: 'done', from: 'recorded' });
  expect(textsOf(newer.rows, 'size')[0]).toBe('{"size":2}');
  expect(upstream.calls).toHaveLength(1);
});
