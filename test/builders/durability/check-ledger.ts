// Holds a server, started once more after all its kills, to every answer that it gave.
import { readdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Call, RunView } from '../../../src-main/contract/index.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { outputOf } from '../api-client.ts';
import type { ServerProcess } from '../server-process.ts';
import { outputsOf, type Accepted, type KilledServer, type Ledger } from './killed-server.ts';

const longestWaitMs = 120_000;

/** Lets every run come to its end; gives what is not as it was answered, in words. */
export async function brokenAnswers(server: KilledServer, keptRuns: number): Promise<readonly string[]> {
  const before = await server.start();
  try {
    await allEnded(await server.control(before), Infinity);
  } finally {
    await before.stop();
  }
  // A day later, so that all of them may be removed.
  const process = await server.start();
  const { ledger, dataDir } = server;
  const broken: string[] = [];
  try {
    const call = await server.control(process);
    const there = await allEnded(call, keptRuns);
    if (there.size > keptRuns) broken.push(`${there.size} runs are kept, not ${keptRuns}`);
    const present = ledger.accepted.filter(({ runId }) => there.has(runId));
    // Runs end in another order than they came in: any may be beyond the bounds once so many have ended.
    const isBounded = there.size >= keptRuns;
    for (const run of ledger.accepted)
      if (!there.has(run.runId) && !isBounded) broken.push(`lost: ${run.tag}`);
    for (const run of present) broken.push(...(await wrongOf(process, ledger, run, there.get(run.runId))));
    broken.push(...(await wrongDocuments(call, ledger)));
  } finally {
    await process.stop();
  }
  return [...broken, ...(await leftovers(dataDir))];
}

/** Once no run goes on, and those beyond the bounds are removed: until then any of them may go while it is looked at. */
async function allEnded(call: Call, keptRuns: number): Promise<ReadonlyMap<string, RunView>> {
  const deadline = performance.now() + longestWaitMs;
  for (;;) {
    await call('run.bulk', { verb: 'resume', filter: { status: 'paused' } });
    const runs = await call('run.list', { limit: 10_000 });
    const isOver = runs.length <= keptRuns && runs.every(({ status }) => isFinal(status));
    if (isOver || performance.now() > deadline) return new Map(runs.map((run) => [run.runId, run]));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function wrongOf(
  { url }: ServerProcess,
  { cancelAsked, cancelled }: Ledger,
  run: Accepted,
  found: RunView | undefined,
): Promise<readonly string[]> {
  const status = found?.status;
  if (cancelled.has(run.runId) && status !== 'cancelled')
    return [`${run.tag} was cancelled, and is ${status}`];
  if (status === 'cancelled' && cancelAsked.has(run.runId)) return [];
  if (status !== 'completed') return [`${run.tag} is ${status}: ${found?.error}`];
  const outputs = await outputOf(url, run.workflowId, run.runId).catch(String);
  if (typeof outputs === 'string') return [`${run.tag} has no outputs: ${outputs}`];
  const isRight = isDeepStrictEqual(Object.values(outputs), outputsOf(run));
  return isRight ? [] : [`${run.tag} has other outputs`];
}

async function wrongDocuments(call: Call, { keys, setting }: Ledger): Promise<readonly string[]> {
  const stored = new Set((await call('key.list', {})).map(({ name }) => name));
  const { maxRows } = (await call('settings.show', {})).stored;
  // One that was not answered may have been made.
  const isKept = maxRows >= setting.answered && maxRows <= setting.asked;
  return [
    ...keys.filter((name) => !stored.has(name)).map((name) => `key ${name} is lost`),
    ...(isKept ? [] : [`the setting is ${maxRows}, and was answered as ${setting.answered}`]),
  ];
}

/** Half-written and damaged files, half-removed runs. */
async function leftovers(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir, { recursive: true });
  const isLeft = (name: string): boolean => /\.tmp$|\.corrupt-|\.removed|incoming[/\\]./.test(name);
  return names.filter(isLeft).map((name) => `left: ${name}`);
}
