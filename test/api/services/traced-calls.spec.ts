// Traces of rows that call a model, in a folder that a server has open and in one without a server.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createTraceHandlers } from '../../../src-main/http/control-api/results/traces.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const workflow = (url: string): string => `rowbench: 1
id: sorts
nodes:
  - { id: input, type: input }
  - { id: ask, type: llm, baseUrl: "${url}", model: m, messages: [{ role: user, content: "{{ row.n }}" }] }
  - { id: out, type: output, fields: { says: "=nodes.ask.text" } }
`;

const answer = {
  choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1200, completion_tokens: 3, total_tokens: 1203 },
};

async function ranSorts() {
  const upstream = await startUpstream({ '/v1/chat/completions': json(answer) });
  const services = await openTestServices({ sorts: workflow(upstream.url('/v1')) });
  await services.trust.grant('sorts', { allow: ['loopback'], deny: [] });
  const { runId } = await services.start('sorts', [{ n: 1 }, { n: 2 }]);
  await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  return { upstream, services, runId, call: createTraceHandlers(services.rooms) };
}

it('a row of a live run that is traced again makes its call again, with the key that it had', async () => {
  const { upstream, call, runId } = await ranSorts();
  const before = upstream.keys();
  expect([...before.values()]).toEqual([1, 1]);
  const again = await call['run.traceRow']({ runId, row: 2 });
  expect(again).toMatchObject({ callsMadeAgain: true, output: { says: 'yes' } });
  expect(again.nodes[1]?.calls).toMatchObject([{ method: 'POST', status: 200 }]);
  const key = upstream.calls.at(-1)?.key ?? '';
  expect([before.get(key), upstream.keys().get(key), upstream.calls.length]).toEqual([1, 2, 3]);
});

it('tokens are shown for a row, and summed up over the run', async () => {
  const { call, runId } = await ranSorts();
  expect((await call['run.trace']({ runId, row: 1 }))?.nodes.map(({ tokens }) => tokens)).toEqual([
    undefined,
    { prompt: 1200, completion: 3 },
    undefined,
  ]);
  const { nodes } = await call['run.nodes']({ runId });
  expect(nodes.map(({ tokens }) => tokens)).toEqual([undefined, { prompt: 2400, completion: 6 }, undefined]);
});

/** Without times, and without the room between words. */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/[\d.]+ (µs|ms|s)\b/g, 'T')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(' \n', '\n')
    .trim();

it('a folder that no server has is looked into in the same way', async () => {
  const { services, runId, upstream } = await ranSorts();
  await services.close();
  const cli = (...args: readonly string[]) => runCli(['runs', ...args, '--data', services.dataDir]);
  const shown = await cli('show', runId);
  const guide = await readFile(new URL('../../../docs/guide/traces.md', import.meta.url), 'utf8');
  const [, table = 'nothing'] = /```text file=tokens\n(.*?)```/s.exec(guide) ?? [];
  expect(wordsOf(shown.stdout)).toContain(wordsOf(table));
  const traced = await cli('trace', runId, '2');
  expect(traced.stdout).toMatch(
    /^row 2: done\n {2}input .*\n.*\n {2}ask +done, .*, 1,200 tokens in, 3 out\n/,
  );
  expect(traced.stdout).toMatch(/call POST http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions: 200/);
  const again = await cli('trace', runId, '2', '--again', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ callsMadeAgain: true, output: { says: 'yes' } });
  expect([...upstream.keys().values()].sort()).toEqual([1, 2]);
  expect((await cli('trace', runId, '3')).stderr).toMatch('The run has no row 3; it has 2 rows');
});
