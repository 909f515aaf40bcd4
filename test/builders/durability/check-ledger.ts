// Restarts a server after all its kills, and checks every answer that it gave before.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Call, RunView } from '../../../src-main/contract/index.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { databaseName } from '../../../src-main/storage/runs/run-database.ts';
import { outputOf } from '../api-client.ts';
import type { ServerProcess } from '../server-process.ts';
import { outputsOf, type Accepted, type KilledServer, type Ledger } from './killed-server.ts';
import { problemsIn } from './stored-database.ts';

const maxWaitMs = 120_000;

/** Lets every run come to its end; resolves to each answer that is not kept, in words. */
export async function brokenAnswers(server: KilledServer): Promise<readonly string[]> {
  const { ledger, dataDir } = server;
  const broken: string[] = [];
  const process = await server.start();
  try {
    const call = await server.control(process);
    const stored = await endedRuns(call);
    for (const run of ledger.accepted) {
      const found = stored.get(run.runId);
      if (found !== undefined) broken.push(...(await brokenOf(process, ledger, run, found)));
      else if (!mayBeRemoved(server, run)) broken.push(`lost: ${run.tag}`);
    }
    if (new Set(stored.keys()).size > ledger.accepted.length + server.starts * maxUnansweredRuns)
      broken.push(`${stored.size} runs are stored, and ${ledger.accepted.length} were accepted`);
    broken.push(...(await brokenDocuments(call, ledger)));
  } finally {
    await process.stop();
  }
  return [...broken, ...(await leftovers(dataDir)), ...(await problemsIn(join(dataDir, databaseName)))];
}

/** Runs of one life that were accepted just before the kill, without an answer. */
const maxUnansweredRuns = 2;

/** Retention removes finished runs of lives that are more days back than it keeps. */
export const mayBeRemoved = ({ starts, retentionDays }: KilledServer, { life }: Accepted): boolean =>
  starts - life >= retentionDays;

/** All stored runs, once none goes on and retention has nothing more to remove. */
async function endedRuns(call: Call): Promise<ReadonlyMap<string, RunView>> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    await call('run.bulk', { verb: 'resume', filter: { status: 'paused' } });
    const { retention } = (await call('settings.show', {})).stored;
    const { runs: pastBounds } = await call('settings.retention', retention);
    const runs = await call('run.list', { limit: 10_000 });
    const isOver = pastBounds === 0 && runs.every(({ status }) => isFinal(status));
    if (isOver || performance.now() > deadline) return new Map(runs.map((run) => [run.runId, run]));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function brokenOf(
  { url }: ServerProcess,
  { cancelRequested, cancelled }: Ledger,
  run: Accepted,
  { status, error }: RunView,
): Promise<readonly string[]> {
  if (cancelled.has(run.runId) && status !== 'cancelled')
    return [`${run.tag} was cancelled, and is ${status}`];
  if (status === 'cancelled' && cancelRequested.has(run.runId)) return [];
  if (status !== 'completed') return [`${run.tag} is ${status}: ${error}`];
  const outputs = await outputOf(url, run.workflowId, run.runId).catch(String);
  if (typeof outputs === 'string') return [`${run.tag} has no outputs: ${outputs}`];
  const isRight = isDeepStrictEqual(Object.values(outputs), outputsOf(run));
  return isRight ? [] : [`${run.tag} has other outputs`];
}

async function brokenDocuments(call: Call, { keys, setting }: Ledger): Promise<readonly string[]> {
  const stored = new Set((await call('key.list', {})).map(({ name }) => name));
  const { maxRows } = (await call('settings.show', {})).stored;
  // One that was not answered may have been made.
  const isExpected = maxRows >= setting.answered && maxRows <= setting.requested;
  return [
    ...keys.filter((name) => !stored.has(name)).map((name) => `key ${name} is lost`),
    ...(isExpected ? [] : [`the setting is ${maxRows}, and was answered as ${setting.answered}`]),
  ];
}

/** Names of half-written and damaged files, and of a write-ahead log after a regular stop. */
async function leftovers(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir, { recursive: true });
  const isLeft = (name: string): boolean => /\.tmp$|\.corrupt-|\.db-(wal|shm)$/.test(name);
  return names.filter(isLeft).map((name) => `left: ${name}`);
}
