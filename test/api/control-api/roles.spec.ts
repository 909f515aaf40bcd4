import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessRules, procedures, type AuditRecord } from '../../../src-main/contract/index.ts';
import { hasRole, roles } from '../../../src-main/domain/access/role.ts';
import { startTeamApp, type TeamApp } from '../../builders/team-app.ts';

let app: TeamApp;
beforeAll(async () => {
  app = await startTeamApp();
});
afterAll(() => app.close());

/** A request of each route. None of them succeeds but the event stream. */
const routes = {
  events: ['GET', '/events'],
  'run.start': ['POST', '/workflows/echo/runs?unknown=1'],
  'run.export': ['POST', '/runs/none/export'],
  'run.readRows': ['GET', '/runs/none/rows'],
  'run.readSelectedRows': ['POST', '/runs/none/rows'],
  'run.readFailures': ['GET', '/runs/none/failures'],
  'rows.read': ['GET', '/row-sets/none/rows'],
  'rows.save': ['POST', '/workflows/none/row-sets'],
  'workflow.readTestRows': ['GET', '/workflows/none/test-rows'],
  'sheet.read': ['POST', '/sheet'],
} as const;

const names = Object.keys(accessRules) as (keyof typeof accessRules)[];
const isRoute = (name: string): name is keyof typeof routes => Object.hasOwn(routes, name);

/** Only the head of the answer is read: an event stream does not end. */
async function refusalOf(token: string, name: keyof typeof accessRules) {
  const [method, path] = isRoute(name) ? routes[name] : (['POST', `/call/${name}`] as const);
  const gone = new AbortController();
  const response = await fetch(`${app.url}/_rowbench/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-rowbench-token': token },
    ...(method === 'POST' ? { body: '{}' } : {}),
    signal: gone.signal,
  });
  const isRefused = response.headers.get('x-rowbench-error') === 'role_required';
  const text = isRefused ? await response.text() : '';
  gone.abort();
  return { status: response.status, isRefused, text };
}

const records = async (): Promise<readonly AuditRecord[]> => app.handlers['audit.list']({ limit: 1000 });

describe('the table of roles', () => {
  it('names every procedure and every route, and nothing else', () => {
    expect(names.toSorted()).toEqual([...Object.keys(procedures), ...Object.keys(routes)].toSorted());
  });

  it.each(roles)('lets a token of the role %s do just what the table says', async (role) => {
    const wrong: unknown[] = [];
    for (const name of names) {
      const { status, isRefused, text } = await refusalOf(app.tokens[role], name);
      const required = accessRules[name].role;
      if (hasRole(role, required) === isRefused || status === 401) wrong.push({ name, status });
      if (isRefused)
        expect(JSON.parse(text)).toEqual({
          success: false,
          error: `This needs the role ${required}. Your access token has the role ${role}`,
        });
    }
    expect(wrong).toEqual([]);
  });

  it('gives a viewer no secret, setting, key, grant or token to change', () => {
    const open = names.filter((name) => accessRules[name].isChange && accessRules[name].role === 'viewer');
    expect(open).toEqual([]);
  });

  it('writes one record for each change, made or refused, and none for reading', async () => {
    for (const role of ['viewer', 'admin'] as const)
      for (const name of names) {
        const before = (await records()).length;
        const { isRefused } = await refusalOf(app.tokens[role], name);
        const all = await records();
        const added = all.slice(0, all.length - before);
        const expected = { procedure: name, tokenId: app.tokenIds[role], tokenName: `the ${role}`, role };
        if (!accessRules[name].isChange) expect(added).toEqual([]);
        else {
          expect(added).toEqual([expect.objectContaining(expected)]);
          expect(added[0]?.outcome === 'role_required').toBe(isRefused);
        }
      }
  });
});

describe('a record of a change', () => {
  const changeOf = async (procedure: string, input: unknown): Promise<AuditRecord | undefined> => {
    await app.perform(app.tokens.admin, procedure, input);
    return (await records())[0];
  };

  it('names ids, and no secret, row value or text', async () => {
    const hidden = 'HIDDEN-value-0123456789';
    const key = await changeOf('key.create', { name: `name ${hidden}`, workflows: null });
    expect(key).toMatchObject({ procedure: 'key.create', outcome: 'done' });
    expect(key?.subject['id']).toHaveLength(36);
    expect(
      await changeOf('secret.set', { name: 'CRM', hosts: ['crm.example'], value: hidden }),
    ).toMatchObject({ procedure: 'secret.set', subject: { secret: 'CRM' }, outcome: 'done' });
    expect(await changeOf('settings.change', { maxRows: 5000 })).toMatchObject({
      subject: { settings: 'maxRows' },
      outcome: 'done',
    });
    const runId = await app.run('echo', [{ note: hidden }]);
    expect(await changeOf('run.label', { runId, changes: { name: hidden } })).toMatchObject({
      subject: { runId },
      outcome: 'done',
    });
    const rerun = await changeOf('run.rerun', { runId: 'none', rows: 'all' });
    expect(rerun).toMatchObject({ subject: { runId: 'none' }, outcome: 'run_not_found' });
    const bulk = await changeOf('run.bulk', { verb: 'cancel', filter: { runIds: [runId] }, limit: 1 });
    expect(bulk).toMatchObject({ procedure: 'run.bulk', subject: { verb: 'cancel' } });
    const start = await app.ask(app.tokens.operator, '/workflows/echo/runs', {
      body: JSON.stringify({ rows: [{ note: hidden }] }),
    });
    expect((await records())[0]).toMatchObject({
      procedure: 'run.start',
      tokenName: 'the operator',
      subject: { workflowId: 'echo', runId: (start.body.data as unknown as { runId: string }).runId },
    });
    expect(JSON.stringify(await records())).not.toContain('HIDDEN');
  });

  it('is listed newest first, page by page', async () => {
    const all = await records();
    const first = await app.handlers['audit.list']({ limit: 3 });
    const next = await app.handlers['audit.list']({ limit: 2, before: first[2]?.id ?? '' });
    expect([...first, ...next]).toEqual(all.slice(0, 5));
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  });
});

describe('a run that a user starts', () => {
  it('names the token of its user', async () => {
    const { operator, admin, viewer } = app.tokens;
    const started = await app.ask(operator, '/workflows/echo/runs', { body: '{"rows":[{"n":1},{"n":2}]}' });
    const { runId } = started.body.data as unknown as { runId: string };
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    const again = { runId, rows: 'all' };
    await app.perform(admin, 'run.rerun', { ...again, by: 'cli' });
    const bulk = { verb: 'rerun', filter: { runIds: [runId] }, limit: 1 };
    await app.perform(operator, 'run.bulk', { ...bulk, by: 'app' });
    // A process on the server's machine has no token.
    await app.handlers['run.rerun']({ runId, rows: 'all' });
    const origins = async (text: string) => {
      const found = await app.perform(viewer, 'run.list', { text, limit: 10 });
      return (found.body.data as unknown as readonly { origin: string }[]).map(({ origin }) => origin);
    };
    const newest = (await origins('')).slice(0, 4);
    expect(newest).toEqual(['app', 'app (the operator)', 'cli (the admin)', 'app (the operator)']);
    expect(await origins('the admin')).toEqual(['cli (the admin)']);
  });
});
