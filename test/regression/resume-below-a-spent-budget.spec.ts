// A resume allowed one more budget of tokens. Where rows in flight had used several at once, the run was running again,
// but no row started: it never ended and never paused.
import { expect, it, vi } from 'vitest';
import { openTestServices, type TestServices } from '../builders/open-test-services.ts';
import { queryDatabase } from '../builders/query-database.ts';
import { json, startUpstream } from '../builders/upstream-server.ts';

const upstream = () =>
  startUpstream({
    '/v1/chat/completions': json({
      choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 350, completion_tokens: 0, total_tokens: 350 },
    }),
  });

const workflow = (port: number): string => `rowbench: 1
id: ask
tokenBudget: 100
onBudget: pause
nodes:
  - { id: input, type: input }
  - { id: model, type: llm, baseUrl: "http://127.0.0.1:${port}/v1", model: m, messages: [{ role: user, content: "{{ row.n }}" }] }
  - { id: result, type: output, fields: { n: =row.n } }
`;
const rows = Array.from({ length: 60 }, (_, n) => ({ n }));

async function statusAtRest({ runs }: TestServices, runId: string) {
  return vi.waitFor(async () => {
    const { run } = await runs.get(runId);
    expect(['paused', 'completed', 'failed']).toContain(run.status);
    return run;
  }, 10_000);
}

async function startPaused() {
  const { port } = await upstream();
  const services = await openTestServices({ ask: workflow(port) });
  await services.trust.grant('ask', { allow: ['loopback'], deny: [] });
  const { runId } = await services.start('ask', rows);
  expect((await statusAtRest(services, runId)).spentBudget?.used).toBeGreaterThanOrEqual(350);
  return { services, runId };
}

it('each resume lets rows start, however much those in flight have used', { timeout: 30_000 }, async () => {
  const { services, runId } = await startPaused();
  let done = 0;
  for (let resumes = 0; resumes < 60; resumes += 1) {
    const before = done;
    await services.runs.resume(runId);
    const { status } = await statusAtRest(services, runId);
    done = (await services.runs.get(runId)).counts.rowsDone;
    expect(done).toBeGreaterThan(before);
    if (status === 'completed') break;
  }
  expect(await services.outputs(runId)).toEqual(rows);
});

it('an execution that begins with a spent budget pauses before its first row', async () => {
  const { services, runId } = await startPaused();
  const { dataDir } = services;
  await services.close();
  const resumes = await openTestServices({}, { dataDir, executes: false });
  await resumes.runs.resume(runId);
  await resumes.close();
  // As an earlier version stored it.
  const earlier = `json_remove(record, '$.tokensAllowed')`;
  await queryDatabase(dataDir, [
    `update runs set record = ${earlier}, record_crc = crc32(${earlier}) where run_id = ?`,
    runId,
  ]);

  const after = await openTestServices({}, { dataDir });
  const again = await statusAtRest(after, runId);
  expect(again).toMatchObject({ status: 'paused', spentBudget: { tokens: 100 } });
  const before = (await after.runs.get(runId)).counts.rowsDone;
  await after.runs.resume(runId);
  await statusAtRest(after, runId);
  expect((await after.runs.get(runId)).counts.rowsDone).toBeGreaterThan(before);
});
