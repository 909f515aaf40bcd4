// Runs at a hosted service, against a service built from the interface document.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { Broker } from '../../../src-main/executor/upstream/broker.ts';
import { HostedClient, hostedBounds } from '../../../src-main/services/runs/hosted/hosted-client.ts';
import { startFakeHosted, type HostedQuirks, type TriggerFault } from '../../builders/fake-hosted.ts';
import { controlOf } from '../../builders/control-calls.ts';
import { hastyClock } from '../../builders/hasty-clock.ts';
import {
  addProd,
  hostedClock,
  leadRows,
  linesOf,
  outputsOf,
  score,
  showRun,
  startThere,
  startTwin,
  untilStatus,
} from '../../builders/hosted-twin.ts';
import { recordedLog } from '../../builders/recorded-log.ts';
import { runCli } from '../../builders/run-cli.ts';
import { outputPath, startTestApp, statusPath } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { workflowText } from '../../builders/workflow-text.ts';

describe('a run at a hosted service', () => {
  it.each<[string, HostedQuirks]>([
    ['plain', {}],
    ['entries in another order, with integers as row ids', { rowIds: 'integer', entries: 'reversed' }],
    ['unknown fields, gzip and blanks', { hasUnknownFields: true, encoding: 'gzip', isIndented: true }],
    [
      'statuses that lag and jump',
      { statuses: ['queued', 'running', 'queued', 'completed'], startedAtWhileQueued: 'null' },
    ],
    [
      'answers that fail now and then',
      { getFault: (_, nth) => ([500, 'cut', 404, undefined] as const)[nth] },
    ],
  ])('gives each row the output that the service computed: %s', { timeout: 30_000 }, async (_, quirks) => {
    const twin = await startTwin({ hasLimits: false, ...quirks });
    const runId = await startThere(twin, leadRows(25));
    const run = await untilStatus(twin, runId, 'completed');
    expect(run).toMatchObject({
      rowsDone: 25,
      rowsFailed: 0,
      hosted: { connection: 'prod', matchedBy: 'field' },
    });
    expect(await outputsOf(twin, runId)).toEqual(twin.service.outputsOf(run.hosted?.runId ?? ''));
    expect(twin.service.posts).toHaveLength(1);
    expect(twin.service.seenHeaders.every((headers) => headers['idempotency-key'] === undefined)).toBe(true);
  });

  it('fails the rows for which the service has no entry, and only them', async () => {
    const twin = await startTwin({}, (row) => (Number(row['n']) % 2 === 0 ? undefined : score(row)));
    const runId = await startThere(twin, leadRows(4));
    const run = await untilStatus(twin, runId, 'completed');
    expect(run).toMatchObject({ rowsDone: 2, rowsFailed: 2 });
    expect(await outputsOf(twin, runId)).toEqual([
      { id: 'lead-1', score: 2 },
      undefined,
      { id: 'lead-3', score: 6 },
      undefined,
    ]);
    const { failures } = await twin.app.handlers['run.show']({ runId });
    expect(failures).toMatchObject([{ row: 2, message: 'prod returned no output for this row' }, { row: 4 }]);
  });

  it('has the order of the entries without proof, and no outputs where that does not fit', async () => {
    const twin = await startTwin({}, ({ n }) => ({ score: n }));
    const ordered = await untilStatus(twin, await startThere(twin, leadRows(3)), 'completed');
    expect(ordered.hosted?.matchedBy).toBe('order');
    const sparse = await startTwin({}, ({ n }) => (n === 2 ? undefined : { score: n }));
    const none = await untilStatus(sparse, await startThere(sparse, leadRows(3)), 'completed');
    expect(none).toMatchObject({ rowsDone: 0, rowsFailed: 3, hosted: { matchedBy: 'none' } });
  });

  it('fails for outputs of more than 64 MB, which it fetches once', async () => {
    const twin = await startTwin({}, () => ({ text: 'x'.repeat(64_000_000) }));
    const runId = await startThere(twin, leadRows(1));
    expect((await untilStatus(twin, runId, 'failed')).error).toMatch(/with more than 64 MB. Send fewer rows/);
    expect(twin.service.answers.filter(({ operation }) => operation === 'output')).toHaveLength(1);
  });

  it('has the error and the status of the service', async () => {
    const twin = await startTwin({ statuses: ['queued', 'running', 'failed'], error: 'Node "x" failed: no' });
    const run = await untilStatus(twin, await startThere(twin, leadRows(2)), 'failed');
    expect(run.error).toBe('Node "x" failed: no');
    expect(run.hosted?.seen.map(({ status }) => status)).toEqual(['queued', 'running', 'failed']);
  });

  it('is started with rows of the app, and repeated here', async () => {
    const twin = await startTwin();
    const control = await controlOf(twin.app);
    const startAt = async (query: string) => {
      const body = JSON.stringify({ rows: leadRows(2) });
      const { status, text } = await control.send(`/workflows/sample/runs?${query}`, { body });
      const { data, error } = JSON.parse(text) as { data?: { runId: string }; error?: string };
      return { status, error, runId: data?.runId ?? '' };
    };
    const there = await startAt('on=prod&sample=first%3A1');
    expect(await untilStatus(twin, there.runId, 'completed')).toMatchObject({
      rows: 1,
      hosted: { connection: 'prod' },
    });
    const here = await startAt(`on=here&rerunOf=${there.runId}`);
    expect((await untilStatus(twin, here.runId, 'completed')).hosted).toBeUndefined();
    expect(await startAt('on=prod&mode=mocks')).toMatchObject({ status: 400 });
    expect((await startAt('on=other')).error).toMatch('no hosted connection "other"');
    expect(twin.service.posts).toHaveLength(1);
  });

  it('is paused and cancelled where the service says so', async () => {
    const twin = await startTwin({ statuses: ['running', 'pausing', 'paused'] });
    const runId = await startThere(twin, leadRows(2));
    await untilStatus(twin, runId, 'pausing');
    await expect(twin.app.handlers['run.pause']({ runId })).rejects.toThrow('prod has no call for that');
    twin.service.quirks.statuses = ['cancelled'];
    await untilStatus(twin, runId, 'cancelled');
  });

  it.each([401, 403, 404] as const)('fails with the words of a refusal: %i', async (status) => {
    const twin = await startTwin();
    if (status === 401) twin.service.quirks.header = 'x-service-key';
    const workflowId = { 401: 'sample', 403: 'forbidden', 404: 'unknown' }[status];
    await twin.app.close();
    const workflows = { [workflowId]: workflowText('').replace('id: sample', `id: ${workflowId}`) };
    const app = await startTestApp({ workflows, home: twin.home, clock: hostedClock });
    onTestFinished(() => app.close());
    const { runId } = await app.handlers['hosted.run']({
      workflowId,
      connection: 'prod',
      lines: '{"id":1}\n',
    });
    const run = await untilStatus({ app }, runId, 'failed');
    expect(run.error).toMatch(`answered ${status}: `);
    expect(twin.service.posts).toEqual([]);
  });

  it('is not sent to a service that cannot be reached, and waits to be sent', async () => {
    const twin = await startTwin();
    await twin.service.close();
    const runId = await startThere(twin, leadRows(1));
    const state = async () => {
      const { status, hosted } = await showRun(twin, runId);
      return `${status} ${hosted?.sentAt} ${hosted?.problem}`;
    };
    await expect
      .poll(state)
      .toMatch(/^queued undefined the call to prod was not answered: the connection was refused/);
    // It may be trying at this moment, which is no time to pause.
    const pause = () => twin.app.handlers['run.pause']({ runId }).then(({ status }) => status, String);
    await expect.poll(pause).toBe('paused');
    await twin.app.handlers['run.resume']({ runId });
    await twin.app.handlers['run.cancel']({ runId });
    expect((await showRun(twin, runId)).status).toBe('cancelled');
  });

  it('waits as a 429 says, and is sent once', { timeout: 30_000 }, async () => {
    const twin = await startTwin({ fault: (nth) => (nth === 0 ? 'bare-429' : undefined), retryAsDate: true });
    await untilStatus(twin, await startThere(twin, leadRows(2)), 'completed');
    expect(twin.service.posts.filter(({ runId }) => runId !== undefined)).toHaveLength(1);
    const [prod] = await twin.app.handlers['hosted.list']({});
    expect(prod).toMatchObject({ isHalved: true, sharePercent: 50 });
  });
});

describe('a POST whose outcome is unknown', () => {
  const faults: readonly TriggerFault[] = [
    'cut-before',
    'cut-after',
    'cut-in-answer',
    'no-body',
    'no-id',
    'html-500',
    'html-502',
  ];

  it.each(faults)('is never sent again by itself: %s', { timeout: 30_000 }, async (fault) => {
    const twin = await startTwin({ fault: (nth) => (nth === 0 ? fault : undefined) });
    const runId = await startThere(twin, leadRows(3));
    const run = await untilStatus(twin, runId, 'paused');
    expect(run.hosted).toMatchObject({
      isUnknown: true,
      problem: expect.stringMatching(/^(the call to )?prod /) as string,
    });
    const { handlers } = twin.app;
    await expect(handlers['run.resume']({ runId })).rejects.toThrow('may be billed twice');
    for (const rows of ['all', 'failed'] as const)
      await expect(handlers['run.rerun']({ runId, rows })).rejects.toThrow('may be billed twice');
    await expect(handlers['run.rerun']({ runId, rows: 'all', on: 'here' })).rejects.toThrow('billed twice');
    for (const verb of ['resume', 'rerun', 'cancel', 'pause'] as const) {
      const { results } = await handlers['run.bulk']({ verb, filter: { runIds: [runId] } });
      expect(results).toMatchObject([{ outcome: 'refused' }]);
    }
    await handlers['run.bulk']({ verb: 'resume', filter: { status: 'paused' } });
    await expect(handlers['run.remove']({ runId, cancels: true })).rejects.toThrow('billed twice');
    await twin.app.close();
    const again = await startTestApp({ workflows: {}, home: twin.home, clock: hostedClock });
    onTestFinished(() => again.close());
    expect((await showRun({ app: again }, runId)).hosted?.isUnknown).toBe(true);
    expect(twin.service.posts).toHaveLength(1);
    // Only a person sends it again.
    await again.handlers['hosted.resend']({ runId });
    await untilStatus({ app: again }, runId, 'completed');
    expect(twin.service.posts).toHaveLength(2);
    await expect(again.handlers['hosted.resend']({ runId })).rejects.toThrow('not unknown');
  });

  it('is followed once a person names the run, or let go', { timeout: 30_000 }, async () => {
    const twin = await startTwin({ fault: () => 'cut-after' });
    const runId = await startThere(twin, leadRows(3));
    await untilStatus(twin, runId, 'paused');
    const [post] = twin.service.posts;
    const wrong = { runId, idAtService: 'run_of_others' };
    await expect(twin.app.handlers['hosted.attach'](wrong)).rejects.toThrow('prod has no run run_of_others');
    await twin.app.handlers['hosted.attach']({ runId, idAtService: post?.runId ?? '' });
    expect(await untilStatus(twin, runId, 'completed')).toMatchObject({ rowsDone: 3 });
    const other = await startThere(twin, leadRows(2));
    await untilStatus(twin, other, 'paused');
    const same = { runId: other, idAtService: post?.runId ?? '' };
    await expect(twin.app.handlers['hosted.attach'](same)).rejects.toThrow(`is run ${runId} here already`);
    await twin.app.handlers['run.cancel']({ runId: other });
    expect((await showRun(twin, other)).status).toBe('cancelled');
    expect(twin.service.posts).toHaveLength(2);
  });

  it('is one that a stop cut off', { timeout: 30_000 }, async () => {
    const twin = await startTwin({ fault: () => 'silent' });
    const runId = await startThere(twin, leadRows(1));
    await expect.poll(() => twin.service.posts.length).toBe(1);
    await twin.app.close();
    const again = await startTestApp({ workflows: {}, home: twin.home, clock: hostedClock });
    onTestFinished(() => again.close());
    expect(await showRun({ app: again }, runId)).toMatchObject({
      status: 'paused',
      hosted: { isUnknown: true },
    });
    expect(twin.service.posts).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('is tested by two calls that start nothing', async () => {
    const { app, service } = await startTwin();
    const good = await app.handlers['hosted.test']({ name: 'prod', workflowId: 'sample' });
    expect(good).toMatchObject({ withKey: { status: 404 }, withoutKey: { status: 401 } });
    expect(good.problem).toBeUndefined();
    service.quirks.header = 'x-service-key';
    const bad = await app.handlers['hosted.test']({ name: 'prod', workflowId: 'sample' });
    expect(bad.problem).toBe('The key is not accepted in the header x-acme-key: check both');
    expect(service.posts).toEqual([]);
  });

  it('gives its key to no redirect, and says so', async () => {
    const other = await startFakeHosted({ sample: score });
    onTestFinished(() => other.close());
    const redirectTo = `${other.url}/api/v1/workflows/sample/runs/async`;
    const twin = await startTwin({ fault: () => 'redirect', redirectTo });
    const run = await untilStatus(twin, await startThere(twin, leadRows(1)), 'failed');
    expect(run.error).toMatch(`a redirect to ${JSON.stringify(redirectTo)}; check the URL`);
    expect(other.seenHeaders).toEqual([]);
  });

  it('is not removed while its runs have not ended, and its key is gone with it', async () => {
    const twin = await startTwin({ fault: () => 'cut-after' });
    const runId = await startThere(twin, leadRows(1));
    await untilStatus(twin, runId, 'paused');
    await expect(twin.app.handlers['hosted.remove']({ name: 'prod' })).rejects.toThrow(runId);
    await twin.app.handlers['run.cancel']({ runId });
    await twin.app.handlers['hosted.remove']({ name: 'prod' });
    expect(await twin.app.handlers['hosted.list']({})).toEqual([]);
    for (const name of ['hosted.json', 'hosted.json.previous'])
      expect(await readFile(join(twin.app.dataDir, name), 'utf8').catch(() => '')).not.toContain('sealed');
    await expect(startThere(twin, leadRows(1))).rejects.toThrow('no hosted connection "prod"');
  });

  it('is refused for a taken name and for http to another machine', async () => {
    const { app, service } = await startTwin();
    await expect(addProd(app, service)).rejects.toThrow('already');
    const plain = 'http://api.example.com';
    await expect(addProd(app, service, { name: 'other', url: plain })).rejects.toThrow('https');
    expect(await addProd(app, service, { name: 'other', url: `${service.url}/` })).toMatchObject({
      origin: service.url,
    });
  });

  it('is refused to a server of a team', async () => {
    const app = await startTestApp({ workflows: {}, access: 'tokens' });
    onTestFinished(() => app.close());
    const connection = {
      name: 'prod',
      url: 'https://api.example.com',
      header: 'x-acme-key',
      key: 'k'.repeat(20),
    };
    await expect(app.handlers['hosted.add'](connection)).rejects.toThrow('not for team servers');
    const run = { workflowId: 'sample', connection: 'prod', lines: '{}' };
    await expect(app.handlers['hosted.run'](run)).rejects.toThrow();
  });

  it('has a key that is nowhere in the data folder, answers, log, HAR, exports, records and backup', async () => {
    const { lines, log } = recordedLog();
    const service = await startFakeHosted({ sample: (row) => ({ id: row['id'], echo: service.key }) });
    onTestFinished(() => service.close());
    const home = await temporaryFolder();
    const app = await startTestApp({
      workflows: { sample: workflowText('') },
      home,
      clock: hostedClock,
      log,
    });
    await addProd(app, service);
    const twin = { app, service, home };
    const runId = await startThere(twin, leadRows(2));
    await untilStatus(twin, runId, 'completed');
    for (const path of [statusPath('sample', runId), outputPath('sample', runId)]) await app.call(path);
    const { calls } = await app.handlers['calls.list']({});
    expect(calls).toHaveLength(2);
    const numbers = calls.map(({ number }) => number);
    await app.handlers['hosted.record']({ workflowId: 'sample' });
    const answers = JSON.stringify([
      await outputsOf(twin, runId),
      await app.handlers['hosted.fetch']({ runId }),
      await app.handlers['calls.har']({ numbers }),
      await app.handlers['run.show']({ runId }),
      await app.handlers['hosted.list']({}),
      await app.handlers['secret.list']({}),
      lines,
    ]);
    expect(answers).toContain('"startedDateTime"');
    await app.close();
    expect(answers).not.toContain(service.key);
    const written = (args: readonly string[]) => runCli([...args, '--data', app.dataDir]);
    for (const format of ['csv', 'json', 'ndjson', 'xlsx'])
      expect(
        await written(['export', runId, '--input', '--format', format, '--out', join(home, `out.${format}`)]),
      ).toMatchObject({ code: 0 });
    expect(await written(['backup', join(home, 'copy.db')])).toMatchObject({ code: 0 });
    const names = await readdir(home, { recursive: true });
    for (const name of ['out.xlsx', 'copy.db', 'sample.recorded.ndjson'])
      expect(
        names.some((each) => each.endsWith(name)),
        name,
      ).toBe(true);
    for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect(bytes.includes(service.key), entry.name).toBe(false);
    }
  });
});

it('sends 300 triggers over connections that no idle time has closed', { timeout: 60_000 }, async () => {
  const service = await startFakeHosted({ sample: score }, { hasLimits: false, idleMs: 1 });
  onTestFinished(() => service.close());
  const broker = new Broker({
    secrets: { find: async () => ({ name: 'prod', value: service.key, hosts: [new URL(service.url).host] }) },
    ownPorts: () => [],
    userAgent: 'Rowbench/test',
    clock: systemClock,
    log: silentLog,
    bounds: hostedBounds,
  });
  onTestFinished(() => broker.close());
  const client = new HostedClient({ broker, clock: systemClock });
  const connection = {
    name: 'prod',
    origin: service.url,
    header: 'x-acme-key',
    sealed: '',
    sharePercent: 50,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const kinds: string[] = [];
  for (let nth = 0; nth < 300; nth += 1) {
    const lines = JSON.stringify({ id: nth });
    const { signal } = new AbortController();
    const { kind } = await client.trigger({ connection, workflowId: 'sample', lines }, signal);
    kinds.push(kind);
    // Long enough for the service to close a connection that stayed, and short enough to meet it while it does.
    await new Promise((resolve) => setTimeout(resolve, nth % 4));
  }
  expect(new Set(kinds)).toEqual(new Set(['accepted']));
  expect(service.posts).toHaveLength(300);
});

it(
  'rows whose outcome is unknown are counted as unknown, and no attempt takes them',
  { timeout: 30_000 },
  async () => {
    const twin = await startTwin({ fault: (nth) => (nth === 1 ? 'cut-after' : undefined) }, (row) =>
      Number(row['n']) > 2 && twin.service.posts.length === 1 ? undefined : score(row),
    );
    const { handlers } = twin.app;
    const firstRunId = await startThere(twin, leadRows(5));
    await untilStatus(twin, firstRunId, 'completed');
    const counts = async () => (await handlers['chain.show']({ runId: firstRunId })).counts;
    expect(await counts()).toMatchObject({ rows: 5, done: 2, failed: 3, notRun: 0, open: 3 });
    const rerun = await handlers['run.rerun']({ runId: firstRunId, rows: 'failed' });
    expect(rerun).toMatchObject({ rows: 3, chainId: firstRunId, hosted: { connection: 'prod' } });
    await untilStatus(twin, rerun.runId, 'paused');
    expect(await counts()).toMatchObject({ rows: 5, done: 2, failed: 0, notRun: 0, unknown: 3, open: 0 });
    for (const rows of ['all', 'failed'] as const)
      for (const runId of [firstRunId, rerun.runId])
        await expect(handlers['run.rerun']({ runId, rows })).rejects.toThrow(rerun.runId);
    const edited = { lines: linesOf([leadRows(5)[3]]), numbers: [4] };
    await expect(handlers['run.rerun']({ runId: firstRunId, rows: edited })).rejects.toThrow('billed twice');
    const { results } = await handlers['run.bulk']({ verb: 'rerun', filter: {} });
    expect(results.map(({ outcome }) => outcome)).toEqual(['refused']);
    await handlers['hosted.attach']({ runId: rerun.runId, idAtService: twin.service.posts[1]?.runId ?? '' });
    await untilStatus(twin, rerun.runId, 'completed');
    expect(await counts()).toMatchObject({ rows: 5, done: 5, failed: 0, notRun: 0, open: 0 });
    expect((await counts()).unknown).toBeUndefined();
    expect(twin.service.posts).toHaveLength(2);
  },
);

it('40 runs at once stay within half of the published limits', { timeout: 60_000 }, async () => {
  const fast = hastyClock(40);
  const service = await startFakeHosted(
    { sample: score },
    { now: () => fast.now(), statuses: ['running', 'completed'] },
  );
  onTestFinished(() => service.close());
  const home = await temporaryFolder();
  const app = await startTestApp({ workflows: { sample: workflowText('') }, home, clock: fast });
  onTestFinished(() => app.close());
  await addProd(app, service);
  const runIds = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => startThere({ app, service, home }, leadRows(nth + 1))),
  );
  for (const [nth, runId] of runIds.entries()) {
    const { hosted, rowsDone } = await untilStatus({ app }, runId, 'completed');
    expect(rowsDone).toBe(nth + 1);
    expect(await outputsOf({ app }, runId)).toEqual(service.outputsOf(hosted?.runId ?? ''));
  }
  expect(service.answers.filter(({ status }) => status === 429)).toEqual([]);
  expect(service.posts).toHaveLength(40);
});
