// A budget of tokens ends or pauses a run before it starts more rows, also after restarts.
import { describe, expect, it, vi } from 'vitest';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { json, startUpstream, type TestUpstream } from '../../builders/upstream-server.ts';

const workflow = ({ port }: TestUpstream, keys: string): string => `rowbench: 1
id: ask
concurrency: 1
${keys}
nodes:
  - { id: input, type: input }
  - { id: model, type: llm, baseUrl: "http://127.0.0.1:${port}/v1", model: m, messages: [{ role: user, content: "{{ row.n }}" }] }
  - { id: result, type: output, fields: { n: =row.n, text: =nodes.model.text } }
`;

const model = () =>
  startUpstream({
    '/v1/chat/completions': json({
      choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 },
    }),
  });

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const answers = (count: number) => rows(count).map(({ n }) => ({ n, text: 'yes' }));

async function open(upstream: TestUpstream, keys: string, dataDir?: string): Promise<TestServices> {
  const services = await openTestServices(
    { ask: workflow(upstream, keys) },
    dataDir === undefined ? {} : { dataDir },
  );
  await services.trust.grant('ask', { allow: ['loopback'], deny: [] });
  return services;
}

async function until({ runs }: TestServices, runId: string, status: RunStatus) {
  await vi.waitFor(async () => expect((await runs.get(runId)).run.status).toBe(status), 10_000);
  return (await runs.get(runId)).run;
}

describe('a run whose token budget is spent', () => {
  it('fails, with budget and use, and keeps the rows that have ended', async () => {
    const upstream = await model();
    const services = await open(upstream, 'tokenBudget: 1000');
    const { runId } = await services.start('ask', rows(200));
    const run = await until(services, runId, 'failed');
    expect(run).toMatchObject({
      error: 'Models have used 1,000 tokens; the "tokenBudget" of a run is 1,000',
    });
    // Rows that waited in a worker, up to 16 of them, started although the budget was spent.
    expect((await services.runs.get(runId)).counts.rowsDone).toBe(10);
    expect(upstream.calls.length).toBe(10);
    expect(await services.outputs(runId)).toEqual(answers(10));
  });

  it('waits where the file says so; each resume allows as many tokens again, over restarts too', async () => {
    const upstream = await model();
    const keys = 'tokenBudget: 1000\nonBudget: pause';
    const before = await open(upstream, keys);
    const { runId } = await before.start('ask', rows(40));
    const paused = await until(before, runId, 'paused');
    expect(paused.spentBudget).toEqual({ tokens: 1000, used: 1000 });
    expect(upstream.calls.length).toBe(10);
    await before.close();

    const after = await open(upstream, keys, before.dataDir);
    expect((await after.runs.get(runId)).run.status).toBe('paused');
    const resumed = await after.runs.resume(runId);
    expect(resumed.run.spentBudget).toBeUndefined();
    expect(resumed.run.tokensAllowed).toBe(2000);
    expect((await until(after, runId, 'paused')).spentBudget?.used).toBe(2000);
    for (let resumes = 0; resumes < 3; resumes += 1) {
      await after.runs.resume(runId);
      await vi.waitFor(
        async () => expect(['paused', 'completed']).toContain((await after.runs.get(runId)).run.status),
        10_000,
      );
      if ((await after.runs.get(runId)).run.status === 'completed') break;
    }
    expect((await after.runs.get(runId)).run.status).toBe('completed');
    expect(await after.outputs(runId)).toEqual(answers(40));
  });

  it('is asked about in the app, and fails elsewhere', async () => {
    const upstream = await model();
    const services = await open(upstream, 'tokenBudget: 500');
    const found = await services.workflows.find('ask');
    if (found === undefined) throw new Error('no workflow');
    const draft = await services.runs.beginRun({ workflow: found, origin: { kind: 'app' } });
    await draft.write(
      Buffer.from(
        rows(30)
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
      ),
    );
    const { runId } = await draft.accept(30);
    await until(services, runId, 'paused');
    await services.runs.cancel(runId);
    await until(services, runId, 'cancelled');
  });

  it('completes when the last row spends it', async () => {
    const services = await open(await model(), 'tokenBudget: 300');
    const { runId } = await services.start('ask', rows(3));
    await until(services, runId, 'completed');
    expect(await services.outputs(runId)).toEqual(answers(3));
  });
});
