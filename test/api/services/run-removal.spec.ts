// A run that a user deletes: who may, what is gone, and what stays.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../builders/hosted-twin.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { runCli } from '../../builders/run-cli.ts';

const echo = `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: =row }
`;
const slow = `rowbench: 1
id: slow
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: {} }
`;

/** An app that runs the rows of scripts here, or at a hosted service. */
async function start(on: 'here' | 'prod' = 'here') {
  const workflows = { echo, slow };
  const app =
    on === 'here'
      ? await startTestApp({ workflows, limits: 'off' })
      : (await startGateway({ hasLimits: false }, { compute: (row) => row, workflows })).app;
  onTestFinished(() => app.close());
  const done = async (runId: string): Promise<string> => {
    await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
    return runId;
  };
  return { app, remove: app.handlers['run.remove'], done };
}

/** Files of `rowbench.db`, its log included, in which the text stands. */
async function filesWith(dataDir: string, text: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('rowbench.db'));
  const found: string[] = [];
  for (const name of names) if ((await readFile(join(dataDir, name))).includes(text)) found.push(name);
  return found;
}

describe('a deleted run', () => {
  it.each(['here', 'prod'] as const)(
    'is gone from lists, polls get 404, and a run that repeats it says so: run on %s',
    async (on) => {
      const { app, remove, done } = await start(on);
      const runId = await done(await app.run('echo', [{ n: 1 }]));
      const rerun = await done((await app.handlers['run.rerun']({ runId, rows: 'all' })).runId);
      expect(await remove({ runId: runId.slice(-8) })).toEqual({ runId });
      const listed = await app.handlers['run.list']({ limit: 10 });
      expect(listed.map((run) => run.runId)).toEqual([rerun]);
      await expect(app.handlers['run.show']({ runId })).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(remove({ runId })).rejects.toMatchObject({ code: 'run_not_found' });
      expect(await app.call(`/api/v1/workflows/echo/runs/${runId}/async/status`)).toMatchObject({
        status: 404,
      });
      expect(await app.handlers['run.show']({ runId: rerun })).toMatchObject({
        rerunOf: runId,
        isOriginalGone: true,
      });
    },
  );

  it('leaves nothing of its rows, results and labels in rowbench.db and its log, and the others whole', async () => {
    const { app, remove, done } = await start();
    const rowsOf = (word: string) =>
      Array.from({ length: 3000 }, (_, n) => ({
        n,
        text: `${word} ${(n * 7919) % 104_729} ${'x'.repeat(n % 300)}`,
      }));
    const other = await done(await app.run('echo', rowsOf('stays')));
    const runId = await done(await app.run('echo', rowsOf('secretrow')));
    await app.handlers['run.label']({ runId, changes: { note: 'secretnote' } });
    await app.handlers['run.label']({ runId, changes: { note: 'n', name: 'secretname' } });
    const before = await filesWith(app.dataDir, runId);
    expect(before.length).toBeGreaterThan(0);
    await remove({ runId });
    for (const text of ['secretrow', 'secretnote', 'secretname', runId])
      expect([text, await filesWith(app.dataDir, text)]).toEqual([text, []]);
    const outputs: string[] = [];
    for await (const { bytes } of app.services.runs.readOutputs(other, 3000))
      outputs.push(Buffer.from(bytes).toString());
    expect(outputs.join('').trim().split('\n')).toHaveLength(3000);
  });

  it('has ended, or is cancelled first', async () => {
    const { app, remove } = await start();
    const runId = await app.run('slow', [{ n: 1 }]);
    await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('running');
    await expect(remove({ runId })).rejects.toThrow('A running run cannot be deleted: cancel it first');
    expect(await remove({ runId, cancels: true })).toEqual({ runId });
    await expect(app.services.runs.get(runId)).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it.each(['here', 'prod'] as const)(
    'is not pinned, unless pinned runs are meant too: run on %s',
    async (on) => {
      const { app, remove, done } = await start(on);
      const runId = await done(await app.run('echo', [{ n: 1 }]));
      await app.handlers['run.label']({ runId, changes: { isPinned: true } });
      await expect(remove({ runId })).rejects.toThrow(
        'The run is pinned, so it is not deleted: unpin it first',
      );
      expect(await remove({ runId, isPinned: true })).toEqual({ runId });
    },
  );
});

describe('a chain', () => {
  /** Three attempts, the last two of some rows. */
  async function startChain() {
    const { app, remove, done } = await start();
    const first = await done(await app.run('echo', [{ text: 'secretone' }, { n: 2 }, { n: 3 }]));
    const rerun = async (number: number, text: string): Promise<string> => {
      const rows = { lines: `${JSON.stringify({ text })}\n`, numbers: [number] };
      return done((await app.handlers['run.rerun']({ runId: first, rows })).runId);
    };
    const second = await rerun(2, 'secrettwo');
    const third = await rerun(3, 'secretthree');
    return { app, remove, attempts: [first, second, third] as const };
  }

  it('loses its newest attempt or all of them, and nothing of it is left in rowbench.db and its log', async () => {
    const { app, remove, attempts } = await startChain();
    const [first, second, third] = attempts;
    const chains: number[] = [];
    app.services.chains.watch(({ attempts: left }) => chains.push(left.length));
    await expect(remove({ runId: second })).rejects.toThrow(
      'The run has 1 later attempt, so it is not deleted alone: delete its whole chain, or the newest attempt first',
    );
    expect(await remove({ runId: third })).toEqual({ runId: third });
    await expect.poll(() => chains).toEqual([2]);
    expect(await filesWith(app.dataDir, 'secretthree')).toEqual([]);
    await app.handlers['run.label']({ runId: first, changes: { isPinned: true } });
    await expect(remove({ runId: second, isChain: true })).rejects.toThrow('The run is pinned');
    await remove({ runId: second, isChain: true, isPinned: true });
    expect(await app.handlers['run.list']({ limit: 10 })).toEqual([]);
    for (const text of ['secretone', 'secrettwo', ...attempts])
      expect([text, await filesWith(app.dataDir, text)]).toEqual([text, []]);
  });

  it('is removed whole by rowbench runs remove --chain, which a run with later attempts needs', async () => {
    const { app, attempts } = await startChain();
    const [first, second, third] = attempts;
    const cli = (...args: string[]) => runCli(['runs', 'remove', ...args, '--yes', '--data', app.dataDir]);
    expect(await cli(first, third)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `run ${first} has 1 later attempt: add --chain to remove all attempts of its chain`,
      ) as string,
    });
    expect((await app.handlers['run.list']({ limit: 10 })).length).toBe(3);
    expect(await cli(second, '--chain')).toMatchObject({
      code: 0,
      stderr: `Removed run ${third}.\nRemoved run ${second}.\nRemoved run ${first}.\n`,
    });
    expect(await app.handlers['run.list']({ limit: 10 })).toEqual([]);
  });
});

describe('rowbench runs remove', () => {
  it('asks for --yes, --cancel and --pinned, and removes all named runs or none', async () => {
    const { app, done } = await start();
    const first = await done(await app.run('echo', [{ n: 1 }]));
    const pinned = await done(await app.run('echo', [{ n: 1 }, { n: 2 }]));
    await app.handlers['run.label']({ runId: pinned, changes: { isPinned: true } });
    const cli = (...args: string[]) =>
      runCli(['runs', 'remove', first, pinned, ...args, '--data', app.dataDir]);
    expect(await cli('--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`run ${pinned} is pinned: add --pinned to remove it, too`) as string,
    });
    expect(await cli('--pinned')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('add --yes to remove 2 runs with 3 rows') as string,
    });
    expect((await app.handlers['run.list']({ limit: 10 })).length).toBe(2);
    expect(await cli('--pinned', '--yes')).toMatchObject({
      code: 0,
      stderr: `Removed run ${pinned}.\nRemoved run ${first}.\n`,
    });
    expect(await app.handlers['run.list']({ limit: 10 })).toEqual([]);
  });
});
