// Ids and names that no database holds, as NUL and halves of a character: a data folder and a team answer the same, and
// neither speaks of damage. Rows may have any character.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTeamServer } from '../../builders/open-team-server.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { recordedLog } from '../../builders/recorded-log.ts';
import { sampleWorkflows, startTestApp } from '../../builders/start-test-app.ts';
import { createTestDatabase } from '../../builders/team-database.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const nul = '\u0000';
const half = '\ud800';
const row = { text: `a${nul}b`, [`key${nul}`]: [nul], escaped: '\\u0000' };
const unknownRun = '00000000-0000-4000-8000-000000000000';

/** A server over a data folder or a database, as a client sees it. */
async function open(kind: 'folder' | 'team') {
  const { log, lines } = recordedLog();
  const app = await (kind === 'folder' ? openFolder(log) : openTeam(log));
  const { secret } = await app.keys.create({ name: 'client', workflows: null });
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = {
      'content-type': 'application/json',
      'x-service-key': secret,
      'x-rowbench-token': app.controlToken,
    };
    const response = await fetch(app.url + path, { headers, ...init });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    lines,
    send,
    perform: (procedure: string, input: unknown) =>
      send(`/_rowbench/v1/call/${procedure}`, { method: 'POST', body: JSON.stringify(input) }),
  };
}

async function openFolder(log: ReturnType<typeof recordedLog>['log']) {
  const app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, log });
  onTestFinished(() => app.close());
  return { ...app, keys: app.services.keys, controlToken: app.control.token };
}

async function openTeam(log: ReturnType<typeof recordedLog>['log']) {
  const { url } = await createTestDatabase();
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'echo.workflow.yaml'), sampleWorkflows.echo);
  const server = await openTeamServer(url, { log, workflowFolders: [folder] });
  onTestFinished(() => server.close());
  return { ...server, keys: server.services.access.keys, controlToken: server.tokens.admin };
}

const kinds = [
  ['a data folder', 'folder'],
  ['a team', 'team'],
] as const;

it.each(kinds.filter(([, kind]) => kind === 'folder' || whyNoPostgres === undefined))(
  '%s answers an id with NUL like any other id that it does not have',
  async (_, kind) => {
    const { send, lines } = await open(kind);
    const run = (workflowId: string, runId: string, of: string) =>
      send(`/api/v1/workflows/${workflowId}/runs/${runId}/async/${of}`);
    for (const of of ['status', 'response']) {
      const unknown = await run('unknown', unknownRun, of);
      expect(unknown.status).toBe(404);
      for (const workflowId of ['%00', 'echo%00', '%ED%A0%80'])
        expect(await run(workflowId, unknownRun, of)).toEqual(unknown);
      const without = await run('echo', unknownRun, of);
      expect(without.status).toBe(404);
      for (const runId of ['%00', `${unknownRun}%00`, '%ED%A0%80'])
        expect(await run('echo', runId, of)).toEqual(without);
    }
    const post = (workflowId: string) =>
      send(`/api/v1/workflows/${workflowId}/runs/async`, { method: 'POST', body: '{"rows":[{}]}' });
    expect(await post('echo%00')).toEqual(await post('unknown'));
    expect(lines).toEqual([]);
  },
);

it.each(kinds.filter(([, kind]) => kind === 'folder' || whyNoPostgres === undefined))(
  '%s refuses ids and names with NUL or half of a character as invalid input',
  async (_, kind) => {
    const { perform, lines } = await open(kind);
    const calls = (text: string): readonly (readonly [string, object])[] => [
      ['run.show', { runId: text }],
      ['run.list', { text }],
      ['run.list', { workflowId: text }],
      ['run.list', { tag: text }],
      ['run.label', { runIds: [text], labels: { name: 'x' } }],
      ['run.label', { runId: unknownRun, labels: { name: text, tags: [text] } }],
      ['run.cancel', { runId: text }],
      ['key.create', { name: `a${text}`, workflows: null }],
      ['key.revoke', { id: text }],
      ['key.test', { key: 'x', workflowId: text }],
      ['token.create', { name: `a${text}`, role: 'viewer' }],
      ['token.revoke', { id: text }],
      ['audit.list', { tokenName: text }],
      ['audit.list', { before: text }],
      ['author.history', { workflowId: 'echo', name: text }],
      ['author.savedText', { workflowId: 'echo', id: text }],
      ['author.savedText', { workflowId: 'echo', id: 'x', name: text }],
      ['rows.rename', { id: unknownRun, name: `a${text}` }],
      [
        'author.save',
        {
          workflowId: 'echo',
          files: [{ name: 'echo.workflow.yaml', baseHash: text.padEnd(64, 'a'), text: 'x' }],
        },
      ],
      [
        'author.create',
        { workflowId: 'new', folder: text, files: [{ name: 'new.workflow.yaml', text: '' }] },
      ],
      ['author.create', { workflowId: 'new', folder: '/', files: [{ name: text, text: '' }] }],
      ['workflow.publish', { files: [{ path: `${text}a.workflow.yaml`, content: sampleWorkflows.echo }] }],
      ['workflow.import', { files: [{ name: text, text: '' }] }],
      ['run.nodeSource', { runId: unknownRun, nodeId: text }],
    ];
    for (const text of [nul, half])
      for (const [procedure, input] of calls(text)) {
        const { status, body } = await perform(procedure, input);
        expect([procedure, input, status, body['error']]).toEqual([
          procedure,
          input,
          400,
          expect.stringMatching(/not possible here|control characters|Unrecognized|expected/),
        ]);
      }
    expect(lines).toEqual([]);
  },
);

it.each(kinds.filter(([, kind]) => kind === 'folder' || whyNoPostgres === undefined))(
  '%s keeps NUL and halves of a character in rows, outputs and answers about them',
  async (_, kind) => {
    const { send, perform, lines } = await open(kind);
    const rows = [row, { text: half }];
    const started = await send('/api/v1/workflows/echo/runs/async', {
      method: 'POST',
      body: JSON.stringify({ rows }),
    });
    expect(started.status).toBe(201);
    const { runId } = started.body['data'] as { runId: string };
    const status = async () =>
      ((await perform('run.show', { runId })).body['data'] as { status: string }).status;
    await expect.poll(status, { timeout: 15_000 }).toBe('completed');
    const { body } = await send(`/api/v1/workflows/echo/runs/${runId}/async/response`);
    expect(JSON.stringify(body)).toContain(JSON.stringify(row));
    expect(lines).toEqual([]);
  },
);
