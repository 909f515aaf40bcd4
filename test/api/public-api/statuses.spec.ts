// Sections 2, 3, 4.2 and 4.3 of the interface: the status payload in each of the seven statuses, and the output
// refused in six of them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { untilRunning } from '../../builders/until-running.ts';
import {
  failure,
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  type TestApp,
} from '../../builders/start-test-app.ts';
import { hang, startUpstream } from '../../builders/upstream-server.ts';

const calling = (url: string): string => `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - { id: service, type: http, request: { url: "${url}" } }
  - { id: result, type: output, after: [service], fields: { n: "=row.n" } }
`;

const began = Date.UTC(2026, 0, 1, 12);
const at = (ms: number): string => new Date(began + ms).toISOString();

let clock: FakeClock;
let app: TestApp;

beforeEach(async () => {
  clock = new FakeClock(began);
  app = await startTestApp({ workflows: sampleWorkflows, clock, limits: 'off', settings: { runsAtOnce: 1 } });
});

afterEach(() => app.close());

const statusOf = async (workflowId: string, runId: string): Promise<unknown> => {
  const reply = await app.call(statusPath(workflowId, runId));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return reply.body;
};

function reaches(workflowId: string, runId: string, status: string): Promise<void> {
  const look = async (): Promise<string> =>
    ((await statusOf(workflowId, runId)) as { data: { status: string } }).data.status;
  return status === 'running' ? untilRunning(clock, look) : expect.poll(look, { timeout: 9000 }).toBe(status);
}

const now = (): string => new Date(clock.now()).toISOString();

async function expectNoOutput(workflowId: string, runId: string, status: string): Promise<void> {
  const reply = await app.call(outputPath(workflowId, runId));
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual(failure(`Workflow run is not completed. Current status: ${status}`));
}

describe('a run that is', () => {
  it('queued: startedAt is the time of acceptance, finishedAt null', async () => {
    const first = await app.run('waiting', [{}]);
    await reaches('waiting', first, 'running');
    clock.advance(1500);
    const acceptedAt = now();
    const runId = await app.run('echo', [{}]);
    clock.advance(1000);
    expect(await statusOf('echo', runId)).toEqual({
      success: true,
      data: { status: 'queued', startedAt: acceptedAt, finishedAt: null },
    });
    await expectNoOutput('echo', runId, 'queued');
  });

  it('running: startedAt is the real start, finishedAt null', async () => {
    const first = await app.run('waiting', [{}]);
    await reaches('waiting', first, 'running');
    const runId = await app.run('waiting', [{}]);
    clock.advance(2000);
    const startedAt = now();
    await app.services.runs.cancel(first);
    await reaches('waiting', runId, 'running');
    expect(await statusOf('waiting', runId)).toEqual({
      success: true,
      data: { status: 'running', startedAt, finishedAt: null },
    });
    await expectNoOutput('waiting', runId, 'running');
  });

  it('pausing: while a node attempt is still in flight', async () => {
    const upstream = await startUpstream({ '/slow': hang });
    const file = join(app.dataDir, 'workflows/calling.workflow.yaml');
    await writeFile(file, calling(upstream.url('/slow')));
    await app.services.trust.grant('calling', { allow: ['loopback'], deny: [] });
    const runId = await app.run('calling', [{}]);
    // A run has the status running before its row runs; a pause would find nothing to wait for.
    await expect.poll(() => upstream.count('/slow')).toBe(1);
    await app.services.runs.pause(runId);
    expect(await statusOf('calling', runId)).toEqual({
      success: true,
      data: { status: 'pausing', startedAt: at(0), finishedAt: null },
    });
    await expectNoOutput('calling', runId, 'pausing');
    await app.services.runs.cancel(runId);
  });

  it('paused: finishedAt is null', async () => {
    const runId = await app.run('waiting', [{}]);
    await reaches('waiting', runId, 'running');
    await app.services.runs.pause(runId);
    await reaches('waiting', runId, 'paused');
    expect(await statusOf('waiting', runId)).toEqual({
      success: true,
      data: { status: 'paused', startedAt: at(0), finishedAt: null },
    });
    await expectNoOutput('waiting', runId, 'paused');
  });

  it('cancelled: finishedAt is set, there is no error', async () => {
    const runId = await app.run('waiting', [{}]);
    await reaches('waiting', runId, 'running');
    clock.advance(700);
    await app.services.runs.cancel(runId);
    expect(await statusOf('waiting', runId)).toEqual({
      success: true,
      data: { status: 'cancelled', startedAt: at(0), finishedAt: now() },
    });
    await expectNoOutput('waiting', runId, 'cancelled');
  });

  it('failed: error names the failed node and the cause, and is appended to the refusal of the output', async () => {
    const runId = await app.run('failing', [{}, {}, {}, {}]);
    await reaches('failing', runId, 'failed');
    const error = 'Node "company" failed on row 3: HTTP 500 from GET https://example.com';
    expect(await statusOf('failing', runId)).toEqual({
      success: true,
      data: { status: 'failed', startedAt: at(0), finishedAt: at(0), error },
    });
    const reply = await app.call(outputPath('failing', runId));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(
      failure(`Workflow run is not completed. Current status: failed. Error: ${error}`),
    );
  });

  it('completed: finishedAt is set, and the output has one entry for each row', async () => {
    const rows = [{ n: 1 }, { n: 'two' }, { n: [3, null] }];
    const runId = await app.run('echo', rows);
    await reaches('echo', runId, 'completed');
    expect(await statusOf('echo', runId)).toEqual({
      success: true,
      data: { status: 'completed', startedAt: at(0), finishedAt: at(0) },
    });
    const { status, body, headers } = await app.call(outputPath('echo', runId));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { success, data, ...rest } = body as { success: boolean; data: Record<string, unknown> };
    expect({ success, rest }).toEqual({ success: true, rest: {} });
    expect(Object.values(data)).toEqual(rows.map((row) => ({ row })));
    expect(Object.keys(data)).toEqual(rows.map((_, index) => `${runId.slice(-12)}_00000${index + 1}`));
  });
});
