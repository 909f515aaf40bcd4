// `rowbench serve --hosted`: scripts keep base URL and key, and their runs are executed by the hosted service.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HostedQuirks } from '../../builders/fake-hosted.ts';
import {
  leadRows,
  restarted,
  score,
  showRun,
  startGateway,
  startThere,
  startTwin,
  untilStatus,
} from '../../builders/hosted-twin.ts';
import { outputPath, statusPath, workflowPath, type TestApp } from '../../builders/start-test-app.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { workflowText } from '../../builders/workflow-text.ts';

const bodyOf = (count: number): string => JSON.stringify({ rows: leadRows(count) });

/** The answer as it stood on the wire. */
async function rawCall(app: TestApp, path: string, body?: string): Promise<string> {
  const headers = { 'x-service-key': app.key, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(`${app.url}${path}`, { headers, ...init });
  return `${response.status} ${await response.text()}`;
}

const runIdIn = (answer: string): string => /"runId":"([^"]+)"/.exec(answer)?.[1] ?? '';

it('a script keeps its base URL and key, and gets the outputs of the service', async () => {
  const twin = await startGateway({ entries: 'reversed', rowIds: 'integer' });
  const { app, service } = twin;
  const accepted = await rawCall(app, workflowPath('sample'), bodyOf(4));
  const runId = runIdIn(accepted);
  expect(accepted).toBe(
    `201 {"success":true,"data":{"workflowId":"sample","runId":"${runId}","status":"queued"}}`,
  );
  const { hosted, origin } = await untilStatus(twin, runId, 'completed');
  expect(origin).toBe('test');
  expect(hosted?.runId).toBe(service.posts[0]?.runId);
  expect(await rawCall(app, statusPath('sample', runId))).toMatch(/^200 .*"status":"completed"/);
  const { data } = JSON.parse((await rawCall(app, outputPath('sample', runId))).slice(4)) as {
    data: Record<string, unknown>;
  };
  expect(Object.values(data)).toEqual(leadRows(4).map(score));
  expect(service.posts).toHaveLength(1);
  expect(JSON.stringify(service.seenHeaders)).not.toContain(app.key);
  expect(await rawCall(app, statusPath('sample', hosted?.runId ?? ''))).toMatch(/^404 /);
});

it('a refusal of the service has its status and text', async () => {
  const workflows = { sample: workflowText(''), forbidden: workflowText('').replace('sample', 'forbidden') };
  const quirks: HostedQuirks = { fault: (nth) => (nth === 0 ? 'redirect' : undefined) };
  const { app, service } = await startGateway(quirks, { workflows });
  const path = workflowPath('forbidden');
  expect(await rawCall(app, path, bodyOf(1))).toBe(
    '403 {"success":false,"error":"No access to this workflow"}',
  );
  expect(await rawCall(app, workflowPath('sample'), bodyOf(1))).toMatch(/^502 .*redirect/);
  service.quirks.header = 'x-service-key';
  expect(await rawCall(app, path, bodyOf(1))).toBe('401 {"success":false,"error":"Invalid API key"}');
  const { status } = await app.trigger('sample', bodyOf(1), {
    headers: { 'x-rowbench-scenario': 'slow:1s' },
  });
  expect(status).toBe(400);
});

it(
  'rows of unknown outcome are answered with 502, and with 409 until a person has resolved it',
  { timeout: 30_000 },
  async () => {
    let twin = await startGateway({ fault: (nth) => (nth === 0 ? 'cut-after' : undefined) });
    const { service, home } = twin;
    const post = (body = bodyOf(2)) => rawCall(twin.app, workflowPath('sample'), body);
    const first = await post();
    expect(first).toMatch(/^502 .*It is not known whether prod has the rows .* Do not send them again/);
    const [run] = await twin.app.handlers['run.list']({ limit: 9 });
    expect(first).toContain(run?.runId);
    const key = twin.app.key;
    for (let repeats = 0; repeats < 3; repeats += 1)
      expect(await post()).toMatch(new RegExp(`^409 .*${run?.runId}.*billed twice`));
    expect(await post(JSON.stringify({ rows: leadRows(2) }, null, 2))).toMatch(/^409 /);
    expect(service.posts).toHaveLength(1);
    // Other rows, and the rows of another key, are other orders.
    expect(await post(bodyOf(3))).toMatch(/^201 /);
    const otherKey = await twin.app.createKey(null);
    expect((await twin.app.trigger('sample', bodyOf(2), { key: otherKey })).status).toBe(201);
    expect(service.posts).toHaveLength(3);
    twin = await restarted({ ...twin, home }, 'prod');
    expect((await twin.app.trigger('sample', bodyOf(2), { key })).status).toBe(409);
    await twin.app.handlers['hosted.attach']({
      runId: run?.runId ?? '',
      idAtService: service.posts[0]?.runId ?? '',
    });
    await untilStatus(twin, run?.runId ?? '', 'completed');
    expect((await twin.app.trigger('sample', bodyOf(2), { key })).status).toBe(201);
    expect(service.posts).toHaveLength(4);
  },
);

it(
  'rows that wait for a limit are queued, and let go with a script that has gone before',
  { timeout: 30_000 },
  async () => {
    const twin = await startGateway({}, { share: 4 });
    const { app, service } = twin;
    // One trigger a minute.
    expect(await rawCall(app, workflowPath('sample'), bodyOf(1))).toMatch(/^201 /);
    const gone = new AbortController();
    const headers = { 'x-service-key': app.key, 'content-type': 'application/json' };
    const leaving = fetch(`${app.url}${workflowPath('sample')}`, {
      method: 'POST',
      headers,
      body: bodyOf(2),
      signal: gone.signal,
    });
    await expect.poll(async () => (await app.handlers['run.list']({ limit: 9 })).length).toBe(2);
    gone.abort();
    await expect(leaving).rejects.toThrow();
    const [left] = await app.handlers['run.list']({ limit: 1 });
    await untilStatus(twin, left?.runId ?? '', 'cancelled');
    const queued = await rawCall(app, workflowPath('sample'), bodyOf(3));
    expect(queued).toMatch(/^201 /);
    expect((await showRun(twin, runIdIn(queued))).hosted?.sentAt).toBeUndefined();
    await untilStatus(twin, runIdIn(queued), 'completed');
    expect(service.posts).toHaveLength(2);
  },
);

it('a server without --hosted runs the same rows here, with the same answers as ever', async () => {
  const twin = await startTwin({ fault: () => 'cut-after' });
  const unknown = await startThere(twin, leadRows(1));
  await untilStatus(twin, unknown, 'paused');
  const { app } = await restarted(twin, undefined);
  for (const nth of [0, 1]) {
    const accepted = await rawCall(app, workflowPath('sample'), bodyOf(1));
    const runId = runIdIn(accepted);
    expect(accepted, `${nth}`).toBe(
      `201 {"success":true,"data":{"workflowId":"sample","runId":"${runId}","status":"queued"}}`,
    );
    const { startedAt, finishedAt, hosted } = await untilStatus({ app }, runId, 'completed');
    expect(hosted).toBeUndefined();
    expect(await rawCall(app, statusPath('sample', runId))).toBe(
      `200 {"success":true,"data":{"status":"completed","startedAt":"${startedAt}","finishedAt":"${finishedAt}"}}`,
    );
    expect(await rawCall(app, outputPath('sample', runId))).toMatch(
      /^200 {"success":true,"data":{"[0-9a-f_]+":{"done":"lead-1"}}}$/,
    );
  }
  expect(await rawCall(app, workflowPath('unknown'), bodyOf(1))).toBe(
    '404 {"success":false,"error":"Workflow not found"}',
  );
  expect(await rawCall(app, workflowPath('sample'), '{"nodes":{}}')).toMatch(/^400 /);
  expect(twin.service.posts).toHaveLength(1);
});

it('a server does not start for a service that it does not know', async () => {
  const data = join(await temporaryFolder(), 'data');
  const refused = await runCli(['serve', '--port', '0', '--data', data, '--hosted', 'prod']);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no hosted connection "prod"') as string,
  });
  await expect(stat(data)).rejects.toThrow('ENOENT');
});
