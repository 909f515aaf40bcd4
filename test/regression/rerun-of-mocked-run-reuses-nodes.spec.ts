// A run in the mode `mocks` was repeated from a node as if it had no mocks: every mocked node counted as changed, and
// nothing behind it was reused.
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';

const mocked = `rowbench: 1
id: mocked
nodes:
  - { id: input, type: input }
  - id: call
    type: http
    request: { url: "https://x.example/" }
    mock: { ok: { value: { status: 200, headers: {}, body: 1 } } }
  - { id: a, type: set, values: { a: "=nodes.call.body" } }
  - { id: b, type: set, values: { b: "=nodes.a.a" } }
  - { id: out, type: output, fields: { n: "=nodes.b.b" } }
`;

it('the values before the node are reused', async () => {
  const services = await openTestServices({ mocked });
  const ended = (runId: string) =>
    expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  const { runId } = await services.start('mocked', [{ n: 1 }], { mode: 'mocks' });
  await ended(runId);
  const { run } = await services.runs.rerun(runId, { rows: 'all', from: 'b' }, { kind: 'cli' });
  await ended(run.runId);
  const stored = await services.traces.stored(run.runId, 1);
  expect(stored?.trace.nodes.map(({ end }) => end)).toEqual(['done', 'reused', 'reused', 'done', 'done']);
});
