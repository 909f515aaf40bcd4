// Scenarios as a client of the HTTP interface sees them: a header requests them where that is enabled, and every answer
// names the scenario.
import { afterEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../../src-main/domain/settings.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import {
  failure,
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  type Reply,
  type TestApp,
} from '../../builders/start-test-app.ts';

let clock: FakeClock;
let app: TestApp;

async function start(scenarios: Partial<Settings['scenarios']> = { header: true }): Promise<void> {
  clock = new FakeClock();
  const settings = { scenarios: { header: false, workflows: {}, ...scenarios } };
  app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, clock, settings });
}

afterEach(() => app.close());

const header = 'x-rowbench-scenario';
const rows = JSON.stringify({ rows: [{ n: 1 }, { n: 2 }] });

const trigger = (scenario?: string): Promise<Reply> =>
  app.trigger('echo', rows, scenario === undefined ? {} : { headers: { [header]: scenario } });

async function runOf(scenario: string): Promise<string> {
  const reply = await trigger(scenario);
  expect(reply).toMatchObject({ status: 201, body: { data: { status: 'queued' } } });
  return (reply.body as { data: { runId: string } }).data.runId;
}

const status = (runId: string): Promise<Reply> => app.call(statusPath('echo', runId));
const output = (runId: string): Promise<Reply> => app.call(outputPath('echo', runId));

const untilCompleted = (runId: string): Promise<void> =>
  expect
    .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 9000 })
    .toBe('completed');

describe('a run with a scenario', () => {
  it('says so in every answer about it, in the canonical text', async () => {
    await start();
    const reply = await trigger(' Stays Queued = 10s , seed=7');
    expect(reply.headers.get(header)).toBe('queued-for=10s,seed=7');
    const { runId } = (reply.body as { data: { runId: string } }).data;
    expect((await status(runId)).headers.get(header)).toBe('queued-for=10s,seed=7');
    const early = await output(runId);
    expect(early).toMatchObject({
      status: 400,
      body: failure('Workflow run is not completed. Current status: queued'),
    });
    expect(early.headers.get(header)).toBe('queued-for=10s,seed=7');
    clock.advance(10_000);
    await untilCompleted(runId);
    const whole = await output(runId);
    expect([whole.status, whole.headers.get(header)]).toEqual([200, 'queued-for=10s,seed=7']);
  });

  it('leaves other runs of the workflow alone', async () => {
    await start();
    await runOf('5xx storm=1');
    const plain = await trigger();
    expect([plain.status, plain.headers.get(header)]).toEqual([201, null]);
    const { runId } = (plain.body as { data: { runId: string } }).data;
    expect((await status(runId)).status).toBe(200);
  });
});

describe('a storm', () => {
  it('of 429 answers as a limit does, and is charged to none', async () => {
    await start();
    const runId = await runOf('api-429=1');
    for (let n = 0; n < 60; n += 1) {
      const reply = n % 2 === 0 ? await status(runId) : await output(runId);
      expect(reply.status).toBe(429);
      expect(reply.body).toEqual(failure('Rate limit exceeded. Retry after 1 second.'));
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.get('x-rowbench-limit')).toBe('scenario');
      expect(reply.headers.get(header)).toBe('api-429=1');
    }
  });

  it('of 500 answers in the envelope, and is charged as any other call', async () => {
    await start();
    const runId = await runOf('api-5xx=1');
    for (let n = 0; n < 6; n += 1) {
      expect(await status(runId)).toMatchObject({
        status: 500,
        body: failure("Internal error, as the run's scenario asks"),
      });
    }
    expect((await status(runId)).headers.get('x-rowbench-limit')).toBe('status-per-run');
  });

  it('comes over the same calls each time', async () => {
    await start();
    const first = await runOf('api-429=0.3,api-5xx=0.3,seed=3');
    const second = await runOf('api-429=0.3,api-5xx=0.3,seed=3');
    const weather = async (runId: string): Promise<number[]> => {
      await untilCompleted(runId);
      const replies: number[] = [];
      for (let n = 0; n < 20; n += 1) replies.push((await output(runId)).status);
      return replies;
    };
    const seen = await weather(first);
    expect(await weather(second)).toEqual(seen);
    expect([...new Set(seen)].sort()).toEqual([200, 429, 500]);
  });
});

describe('the header', () => {
  it('is refused while it is off, with how to turn it on, and nothing is stored', async () => {
    await start({ header: false });
    expect(await trigger('slow')).toMatchObject({
      status: 400,
      body: failure(
        'Scenarios by request header are off. Turn them on with "rowbench serve --scenarios", or in settings.json with { "scenarios": { "header": true } }',
      ),
    });
    expect(await app.storedRuns()).toEqual([]);
  });

  it('that cannot be read is refused with all that is wrong', async () => {
    await start();
    expect(await trigger('fail-rwo=3,slow=soon')).toMatchObject({
      status: 400,
      body: failure(
        'The scenario cannot be read: there is no "fail-rwo" (did you mean "fail-row"?); "slow" needs a duration such as 400ms, 2s, 1m or 1h, from 1ms to 24h. One looks like "queued-for=10s,fail-row=3"',
      ),
    });
    expect(await app.storedRuns()).toEqual([]);
  });

  it('is judged after the key, the workflow and the limits', async () => {
    await start({ header: false });
    const slow = { headers: { [header]: 'slow' } };
    expect((await app.trigger('echo', rows, { ...slow, key: 'rbk_wrong' })).status).toBe(401);
    expect((await app.trigger('other', rows, slow)).status).toBe(404);
    const narrow = await app.createKey(['other']);
    expect((await app.trigger('echo', rows, { ...slow, key: narrow })).status).toBe(403);
  });

  it('wins over the setting of the workflow, and none is none', async () => {
    await start({ header: true, workflows: { echo: 'queued-for=1h' } });
    expect((await trigger()).headers.get(header)).toBe('queued-for=1h');
    expect((await trigger('slow=1s')).headers.get(header)).toBe('slow=1s');
    expect((await trigger('none')).headers.get(header)).toBeNull();
  });

  it('is in the description of the API', async () => {
    await start();
    const { body } = await app.call('/openapi.json', { key: null });
    const { post } = (body as { paths: Record<string, { post: { parameters: { name: string }[] } }> }).paths[
      '/api/v1/workflows/{workflowId}/runs/async'
    ] ?? { post: { parameters: [] } };
    expect(post.parameters.map(({ name }) => name)).toContain(header);
  });
});
