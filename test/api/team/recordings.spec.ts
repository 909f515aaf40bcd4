// Recordings: a team records, fills in and replays as a server alone does, whichever workers have the rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunMode } from '../../../src-main/domain/run/run-mode.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { aloneAndTeam, type ServicePair } from '../../builders/team-of-two.ts';
import {
  hang,
  inSequence,
  json,
  slowly,
  startUpstream,
  type TestUpstream,
} from '../../builders/upstream-server.ts';

const workflow = (id: string, upstream: TestUpstream): string => `rowbench: 1
id: ${id}
concurrency: 16
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: company, type: http, request: { url: "${upstream.url('')}/{{ row.name }}" } }
  - { id: result, type: output, fields: { size: =nodes.company.body.size } }
`;

/** Rows that are so long that some of them fill a segment. */
const named = (names: readonly string[]) => names.map((name) => ({ name, text: 'x'.repeat(20_000) }));

type Story = {
  readonly pair: ServicePair;
  readonly upstream: TestUpstream;
  /** Id of the workflow. */
  readonly id: string;
};

async function end({ pair }: Story, runId: string) {
  await expect
    .poll(async () => isFinal((await pair.second.runs.get(runId)).run.status), { timeout: 30_000 })
    .toBe(true);
  return (await pair.second.runs.get(runId)).run;
}

/** Runs rows to their end on the first server; what it returns is read from the second one. */
async function runRows(story: Story, mode: RunMode, names: readonly string[]) {
  const { pair, id } = story;
  const { runId } = await pair.first.start(id, named(names), { mode });
  const run = await end(story, runId);
  const { nodes } = await pair.second.traces.nodes(runId);
  return {
    runId,
    run,
    outputs: await pair.second.outputs(runId),
    calls: nodes.flatMap(({ calls }) => calls ?? []),
    answeredBy: (await pair.second.traces.stored(runId, 1))?.trace.calls.map(({ by }) => by),
  };
}

async function entriesOf({ pair: { second }, id }: Story) {
  const file = (await second.workflows.find(id))?.file;
  return (await (await second.openCassette(id, file)).read())?.entries;
}

const publish = async ({ pair, id }: Story, url: string, size: number): Promise<void> => {
  const entries = [{ request: { method: 'GET', url }, responses: [{ status: 200, json: { size } }] }];
  for (const { dataDir } of new Set([pair.first, pair.second]))
    await writeFile(
      join(dataDir, `workflows/${id}.cassette.json`),
      JSON.stringify({ rowbench: 1, matchHeaders: [], entries }),
    );
};

/** Records each request once, replays it without a call, and fills in what is missing. */
async function recordAndReplay(story: Story): Promise<void> {
  const { pair, upstream } = story;
  const names = Array.from({ length: 80 }, (_, row) => `n${row % 40}`);
  const missing = await runRows(story, 'replay', ['n1']);
  expect(missing.run).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('There is no cassette') as string,
  });
  const recorded = await runRows(story, 'record', names);
  expect(recorded.run.status).toBe('completed');
  expect(recorded.calls).toEqual([{ answered: 80, played: 0 }]);
  const entries = await entriesOf(story);
  expect(entries).toHaveLength(40);
  expect((await runRows(story, 'record', names)).run.status).toBe('completed');
  expect(await entriesOf(story)).toEqual(entries);

  const made = upstream.calls.length;
  const replayed = await runRows(story, 'replay', names);
  expect(replayed.outputs).toEqual(recorded.outputs);
  expect([recorded.answeredBy, replayed.answeredBy]).toEqual([[undefined], ['cassette']]);
  const filled = await runRows(story, 'fill', [...names, 'late']);
  expect(filled.calls).toEqual([{ answered: 1, played: 80 }]);
  expect(await entriesOf(story)).toHaveLength(41);
  expect((await pair.second.traces.again(filled.runId, 81)).trace.calls.map(({ by }) => by)).toEqual([
    'cassette',
  ]);
  expect((await runRows(story, 'fill', ['late'])).calls).toEqual([{ answered: 0, played: 1 }]);
  expect(upstream.calls).toHaveLength(made + 1);
}

/** Plays what was recorded or published last. */
async function publishAndRecord(story: Story): Promise<void> {
  const { upstream } = story;
  const made = upstream.calls.length;
  const outputs = async (mode: RunMode, ...rows: readonly string[]) =>
    (await runRows(story, mode, rows)).outputs;
  await publish(story, upstream.url('/acme'), 8);
  expect(await outputs('replay', 'acme')).toEqual([{ size: 8 }]);
  expect(await outputs('record', 'acme')).toEqual([{ size: 1 }]);
  expect(await outputs('replay', 'acme')).toEqual([{ size: 1 }]);
  await publish(story, upstream.url('/acme'), 9);
  expect(await outputs('fill', 'acme', 'bolt')).toEqual([{ size: 9 }, { size: 2 }]);
  expect(await outputs('replay', 'acme', 'bolt')).toEqual([{ size: 9 }, { size: 2 }]);
  expect(upstream.calls).toHaveLength(made + 2);
}

/** Records each row once where what executes it stops in the middle. */
async function recordOverRestart(story: Story): Promise<void> {
  const { pair, upstream, id } = story;
  const made = upstream.calls.length;
  const { runId } = await pair.first.start(id, named(['hanging', 'twice']), { mode: 'record' });
  await expect.poll(() => upstream.calls.length, { timeout: 30_000 }).toBe(made + 2);
  await pair.restart();
  expect((await end(story, runId)).status).toBe('completed');
  // Of a row that runs again, the last answers are those of its output.
  expect((await entriesOf(story))?.map(({ responses }) => responses)).toMatchObject([
    [{ json: { size: 2 } }],
    [{ json: { size: 3 } }],
  ]);
  expect(await pair.second.outputs(runId)).toEqual([{ size: 2 }, { size: 3 }]);
}

it.each(aloneAndTeam)(
  '%s records, replays and fills in',
  async (_name, open) => {
    const slow = Object.fromEntries(
      [...Array.from({ length: 40 }, (_, n) => `n${n}`), 'late'].map((name, n) => [
        `/${name}`,
        slowly((n * 7) % 13, json({ size: n })),
      ]),
    );
    const upstream = await startUpstream({
      ...slow,
      '/acme': json({ size: 1 }),
      '/bolt': json({ size: 2 }),
      '/hanging': inSequence(hang, json({ size: 2 })),
      '/twice': inSequence(json({ size: 1 }), json({ size: 3 })),
    });
    const ids = ['one', 'two', 'three'];
    const pair = await open(Object.fromEntries(ids.map((id) => [id, workflow(id, upstream)])));
    for (const { trust } of new Set([pair.first, pair.second]))
      for (const id of ids) await trust.grant(id, { allow: ['loopback'], deny: [] });
    await recordAndReplay({ pair, upstream, id: 'one' });
    await publishAndRecord({ pair, upstream, id: 'two' });
    await recordOverRestart({ pair, upstream, id: 'three' });
  },
  120_000,
);
