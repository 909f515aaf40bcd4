// The guide's loops are written out and run against the real server, through every status and a storm of 429s.
import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { sampleWorkflows, startTestApp, statusPath, type TestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const guide = await readFile(new URL('../../../docs/guide/limits-and-polling.md', import.meta.url), 'utf8');

const programs = [
  ['curl', 'sh', 'poll.sh', 'interval=10'],
  ['JavaScript', process.execPath, 'poll.mjs', 'interval = 10'],
  ['Python', 'python3', 'poll.py', 'interval = 10'],
] as const;

const needs = { 'poll.sh': 'curl', 'poll.mjs': process.execPath, 'poll.py': 'python3' } as const;
const isHere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

let app: TestApp;
afterEach(() => app.close());

async function start(scenario: string): Promise<void> {
  app = await startTestApp({
    workflows: { echo: sampleWorkflows.echo },
    limits: 'off',
    settings: { scenarios: { header: false, workflows: { echo: scenario } } },
  });
}

type Ending = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The loop as it stands in the guide, only more impatient: it polls twenty times a second. */
async function poll(command: string, file: string, interval: string): Promise<Ending> {
  const [, text = ''] = new RegExp(`\`\`\`\\w+ file=${file}\n(.*?)\`\`\``, 's').exec(guide) ?? [];
  expect(text.split(interval)).toHaveLength(2);
  const path = join(await temporaryFolder(), file);
  await writeFile(path, text.replace(interval, interval.replace('10', '0.05')));
  const env = { ...process.env, ROWBENCH_URL: app.url, ROWBENCH_KEY: app.key };
  const rows = JSON.stringify({ rows: [{ n: 1 }, { n: 2 }] });
  return new Promise((resolve) => {
    execFile(command, [path, 'echo', rows], { env, timeout: 25_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe.each(programs)('the loop in %s', (_language, command, file, interval) => {
  const run = it.skipIf(!isHere(needs[file]));

  run(
    `gets the outputs through 429s, a queue and a pause (needs ${needs[file].split('/').at(-1)})`,
    async () => {
      await start('api-429=0.3,seed=4,queued-for=300ms,pause-at=50%');
      const ended = poll(command, file, interval);
      await expect
        .poll(async () => (await app.services.runs.list({}))[0]?.run.status, { timeout: 15_000 })
        .toBe('paused');
      const [record] = await app.services.runs.list({});
      await app.services.runs.resume(record?.run.runId ?? '');
      const { code, stdout } = await ended;
      expect([code, stdout.match(/"n": ?\d/g)?.map((found) => found.at(-1))]).toEqual([0, ['1', '2']]);
    },
  );

  run('ends with an error when the run has failed or was cancelled', async () => {
    await start('fail-row=2');
    const failed = await poll(command, file, interval);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('scenario fail-row');
    await app.close();
    await start('cancel-at=50%');
    const cancelled = await poll(command, file, interval);
    expect(cancelled).toMatchObject({ code: 1, stdout: '' });
    expect(cancelled.stderr).toContain('cancelled');
  });
});

/** Seconds at which polls come; `next` gives the pause after a pause. */
function polls(first: number, next: (pause: number) => number): number[] {
  const at = [first];
  for (let pause = first; at.length < 7; at.push((at.at(-1) ?? 0) + pause)) pause = next(pause);
  return at;
}

it.each([
  ['advised', polls(0.5, (pause) => Math.min(5, pause * 1.5)), '0.5, 1.3, 2.4, 4.1, 6.6, 10.4, 15.4'],
  ['every 2 s', polls(2, () => 2), '2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0'],
  ['every 5 s', polls(5, () => 5), '5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0'],
])('polling %s is refused at the seventh poll, as the guide says', async (_name, at, said) => {
  const clock = new FakeClock();
  app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, clock });
  const runId = await app.run('echo', []);
  const answers: number[] = [];
  for (const [nth, seconds] of at.entries()) {
    clock.advance((seconds - (at[nth - 1] ?? 0)) * 1000);
    answers.push((await app.call(statusPath('echo', runId))).status);
  }
  expect(at.map((seconds) => seconds.toFixed(1)).join(', ')).toBe(said);
  expect(answers).toEqual([200, 200, 200, 200, 200, 200, 429]);
});

it('a poll every 10 s is never refused', async () => {
  const clock = new FakeClock();
  app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, clock });
  const runId = await app.run('echo', []);
  for (let nth = 0; nth < 40; nth += 1) {
    clock.advance(10_000);
    expect((await app.call(statusPath('echo', runId))).status).toBe(200);
  }
});
