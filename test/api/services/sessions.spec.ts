// Runs whose rows sign in by cookies: each row has its own, and no file of the data folder has any.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { RunMode } from '../../../src-main/domain/run/run-mode.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { aloneAndTeam } from '../../builders/team-of-two.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import {
  json,
  startUpstream,
  type TestUpstream,
  type UpstreamAnswerer,
} from '../../builders/upstream-server.ts';

const workflow = (url: string, share: string, login: string): string => `rowbench: 1
id: crm
concurrency: 200
nodes:
  - { id: input, type: input }
  - id: login
    type: http
    session: crm
    ${share}
    request: { method: POST, url: "${url}/login", bodyAs: form, body: { user: "${login}" } }
  - id: orders
    type: http
    session: crm
    after: login
    request: { url: "${url}/orders/{{ row.id }}" }
  - { id: result, type: output, fields: { user: =nodes.orders.body.user, order: =nodes.orders.body.order } }
`;

const cookieOf = (user: string): string => createHash('sha256').update(`a cookie of ${user}`).digest('hex');

/** A service that knows a client by two cookies, of which the second comes with the page behind the login. */
async function startCrm(): Promise<TestUpstream> {
  const users = new Map<string, string>();
  const cookiesIn = (header = ''): Map<string, string> =>
    new Map(header.split('; ').map((pair) => pair.split('=') as [string, string]));
  const login: UpstreamAnswerer = ({ body }, response) => {
    const user = new URLSearchParams(body).get('user') ?? '';
    users.set(cookieOf(user), user);
    response.writeHead(302, { location: '/home', 'set-cookie': `sid=${cookieOf(user)}; HttpOnly` }).end();
  };
  const home: UpstreamAnswerer = ({ headers }, response) => {
    const user = users.get(cookiesIn(headers.cookie).get('sid') ?? '');
    response.writeHead(200, { 'set-cookie': `page=${cookieOf(`the page of ${user}`)}` }).end();
  };
  const order: UpstreamAnswerer = (call, response) => {
    const cookies = cookiesIn(call.headers.cookie);
    const user = users.get(cookies.get('sid') ?? '');
    const isKnown = user !== undefined && cookies.get('page') === cookieOf(`the page of ${user}`);
    json(isKnown ? { user, order: call.path } : { message: 'sign in' }, isKnown ? 200 : 401)(call, response);
  };
  const orders = Object.fromEntries(Array.from({ length: 200 }, (_, id) => [`/orders/${id}`, order]));
  return startUpstream({ '/login': login, '/home': home, ...orders });
}

const rows = Array.from({ length: 200 }, (_, id) => ({ id, user: `user-${id % 50}` }));

async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  ).join('\n');
}

async function openCrm(crm: TestUpstream, share = 'timeout: 20s', login = '{{ row.user }}') {
  const services = await openTestServices({ crm: workflow(crm.url(''), share, login) });
  await services.trust.grant('crm', { allow: ['loopback'], deny: [] });
  return services;
}

async function ran(services: TestServices, mode: RunMode, count = rows.length) {
  const { runs } = services;
  const { runId } = await services.start('crm', rows.slice(0, count), mode === 'live' ? {} : { mode });
  await vi.waitFor(async () => expect(isFinal((await runs.get(runId)).run.status)).toBe(true), 20_000);
  const { run } = await runs.get(runId);
  expect(run).toMatchObject({ status: 'completed' });
  return services.outputs(runId);
}

describe('rows of a session', () => {
  it('200 at once: each has its own cookies, a recording replays, and no file has a cookie', async () => {
    const crm = await startCrm();
    const services = await openCrm(crm);
    const recorded = await ran(services, 'record');
    expect(recorded).toEqual(rows.map(({ id, user }) => ({ user, order: `/orders/${id}` })));
    expect(crm.calls).toHaveLength(600);
    expect(await ran(services, 'replay')).toEqual(recorded);
    expect(crm.calls).toHaveLength(600);
    expect(await ran(services, 'fill', 3)).toEqual(recorded.slice(0, 3));
    expect(crm.calls).toHaveLength(609);
    await services.close();
    const text = await filesOf(services.dataDir);
    expect(text).toContain('user-49');
    const cookies = rows.flatMap(({ user }) => [cookieOf(user), cookieOf(`the page of ${user}`)]);
    expect(cookies.filter((cookie) => text.includes(cookie))).toEqual([]);
  });

  it('with a shared login, make it once, and all get its cookies', async () => {
    const crm = await startCrm();
    const services = await openCrm(crm, 'share: run', 'bot');
    const outputs = await ran(services, 'live');
    expect(outputs).toEqual(rows.map(({ id }) => ({ user: 'bot', order: `/orders/${id}` })));
    expect([crm.count('/login'), crm.count('/home'), crm.calls.length]).toEqual([1, 1, 202]);
    await services.close();
    expect(await filesOf(services.dataDir)).not.toContain(cookieOf('bot'));
  });
});

/** Two people a row, each with calls of an own session: in the body of a node, or in a workflow of its own. */
function inBody(url: string): { readonly body: string; readonly caller: string; readonly called: string } {
  const nodes = `      - id: login
        type: http
        session: crm
        request: { method: POST, url: "${url}/login", bodyAs: form, body: { user: "{{ row.user }}" } }
      - id: orders
        type: http
        session: crm
        after: login
        request: { url: "${url}/orders/{{ row.id }}" }
      - { id: order, type: output, fields: { user: =nodes.orders.body.user, order: =nodes.orders.body.order } }
`;
  const around = (id: string, steps: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - id: people
    type: workflow
    each: =row.people
    concurrency: 2
    row: =item
${steps}  - { id: result, type: output, fields: { people: =nodes.people } }
`;
  const called = `rowbench: 1\nid: sign-in\nnodes:\n  - { id: input, type: input }\n${nodes.replaceAll(/^ {4}/gm, '')}`;
  return {
    called,
    body: around('body', `    nodes:\n${nodes}`),
    caller: around('caller', '    workflow: sign-in\n'),
  };
}

it.each(aloneAndTeam)(
  '%s: a body gives the outputs and calls of a called workflow, each item with its own session, also after a restart',
  async (_name, open) => {
    const crm = await startCrm();
    const { body, caller, called } = inBody(crm.url(''));
    const pair = await open({ body, caller, 'sign-in': called });
    for (const id of ['body', 'caller', 'sign-in'])
      await pair.first.trust.grant(id, { allow: ['loopback'], deny: [] });
    // Rows that fill segments, so that the rows of a run move between processes.
    const people = Array.from({ length: 16 }, (_, row) => ({
      text: 'x'.repeat(125_000),
      people: [2 * row, 2 * row + 1].map((id) => ({ id, user: `user-${id}` })),
    }));
    const expected = people.map((row) => ({
      people: row.people.map(({ id, user }) => ({ user, order: `/orders/${id}` })),
    }));
    const run = async (id: string, meanwhile = async (): Promise<void> => {}) => {
      const before = crm.calls.length;
      const { runId } = await pair.first.start(id, people, {});
      await meanwhile();
      await vi.waitFor(
        async () => expect((await pair.second.runs.get(runId)).run.status).toBe('completed'),
        60_000,
      );
      expect(await pair.second.outputs(runId)).toEqual(expected);
      const { nodes } = await pair.second.traces.nodes(runId);
      return {
        calls: crm.calls.length - before,
        nodes: nodes.map(({ nodeId, calls }) => ({ nodeId, calls })),
      };
    };
    expect(await run('body')).toEqual(await run('caller'));
    expect(crm.calls).toHaveLength(2 * 96);
    await run('body', () => pair.restart());
  },
  120_000,
);
