// SIGKILL at random moments, again and again, under load of all kinds. Everything that was answered must be there at
// the end, with exactly one output per row. ROWBENCH_KILLS sets the number of kills, ROWBENCH_SEED the random sequence.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { blobCrc, type BatchKey } from '../../src-main/storage/sqlite/checksums.ts';
import type { Database } from '../../src-main/storage/sqlite/open-database.ts';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { brokenAnswers, mayBeRemoved } from '../builders/durability/check-ledger.ts';
import { KilledServer } from '../builders/durability/killed-server.ts';
import { changeDatabase, readDatabase } from '../builders/durability/stored-database.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, report } from './length.ts';

const kills = Number(process.env['ROWBENCH_KILLS'] ?? (isLong ? 2000 : 10));
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);

/** Servers on folders of their own, killed side by side; retention of one of them removes runs all the time. */
const retentionDays = [36_500, 36_500, 3];

/** Timeout in ms. A kill usually takes half a second, ten times as long on a busy machine. */
const timeout = 120_000 + kills * 6000;

it(`a server loses and repeats nothing over ${kills} kills`, { timeout }, async () => {
  const folder = await temporaryFolder();
  const lanes = retentionDays.map(async (days, lane) => {
    const random = seededRandom(seed + lane);
    const server = await KilledServer.prepare(folder, {
      name: `server-${lane}`,
      retentionDays: days,
      random,
    });
    for (let kill = lane; kill < kills; kill += retentionDays.length)
      await server.liveAndDie(() => aMoment(server, random));
    return server;
  });
  const servers = await Promise.all(lanes);
  let [accepted, cancelled, removed] = [0, 0, 0];
  for (const [lane, server] of servers.entries()) {
    expect((await brokenAnswers(server)).slice(0, 10), `server ${lane}`).toEqual([]);
    accepted += server.ledger.accepted.length;
    cancelled += server.ledger.cancelled.size;
    removed += await removedRuns(server);
  }
  expect(accepted).toBeGreaterThan(kills);
  if (kills >= 36) expect(removed).toBeGreaterThan(kills / 10);
  report(
    `kill loop: ${kills} kills, ${accepted} accepted runs, ${cancelled} cancelled, ${removed} removed by retention, no answer broken`,
  );
});

/** Waits until some more runs are accepted, and then a little longer. */
async function aMoment({ ledger }: KilledServer, random: () => number): Promise<void> {
  const enough = ledger.accepted.length + Math.floor(random() * 6);
  const deadline = performance.now() + 5000;
  while (ledger.accepted.length < enough && performance.now() < deadline) await setTimeout(2);
  await setTimeout(random() * 80);
}

const databaseOf = ({ dataDir }: KilledServer): string => join(dataDir, databaseName);

/** Accepted runs that are not stored any more. */
async function removedRuns(server: KilledServer): Promise<number> {
  const stored = await readDatabase(databaseOf(server), (database) =>
    (database.prepare('select run_id from runs').all() as { run_id: string }[]).map(({ run_id: id }) => id),
  );
  const there = new Set(stored);
  return server.ledger.accepted.filter((run) => mayBeRemoved(server, run) && !there.has(run.runId)).length;
}

/** Makes the checksums match the changed outputs. */
function fitChecksums(database: Database, owner: number): void {
  const batches = database
    .prepare('select id, first_row as firstRow, rows, outputs from output_batches where id / (1 << 27) = ?')
    .all(owner) as (BatchKey & { outputs: Uint8Array })[];
  for (const { outputs, ...batch } of batches)
    database
      .prepare('update output_batches set outputs_crc = ? where id = ?')
      .run(blobCrc(batch, outputs), batch.id);
}

it('the rig finds lost runs, other outputs and lost settings', { timeout: 120_000 }, async () => {
  const server = await KilledServer.prepare(await temporaryFolder(), {
    name: 'one',
    retentionDays: 1000,
    random: seededRandom(7),
  });
  const { accepted, cancelRequested, setting } = server.ledger;
  const untouched = () => accepted.filter(({ runId }) => !cancelRequested.has(runId));
  await server.liveAndDie(() =>
    expect
      .poll(() => Math.min(untouched().length, setting.answered - 1_000_000), { timeout: 30_000 })
      .toBeGreaterThan(3),
  );
  expect(await brokenAnswers(server)).toEqual([]);

  const [lost, damaged, changed] = untouched();
  if (lost === undefined || damaged === undefined || changed === undefined)
    throw new Error('three runs are wanted');
  await changeDatabase(databaseOf(server), (database) => {
    const numberOf = (runId: string): number =>
      (database.prepare('select number from runs where run_id = ?').get(runId) as { number: number }).number;
    const changeOutputs = database.prepare(
      `update output_batches set outputs = cast(replace(cast(outputs as text), '"double":0', '"double":1') as blob),
         outputs_crc = coalesce(?, outputs_crc) where id / (1 << 27) = ? and instr(outputs, '"double":0') > 0`,
    );
    expect(changeOutputs.run(null, numberOf(damaged.runId)).changes).toBe(1);
    const number = numberOf(changed.runId);
    expect(changeOutputs.run(0, number).changes).toBe(1);
    fitChecksums(database, number);
    const lostNumber = numberOf(lost.runId);
    database.prepare('delete from run_snapshots where owner = ?').run(lostNumber);
    database.prepare('delete from runs where number = ?').run(lostNumber);
  });
  await writeFile(join(server.dataDir, 'settings.json'), '{ "version": 1 }');
  const broken = (await brokenAnswers(server)).join('; ');
  expect(broken).toContain(`lost: ${lost.tag}`);
  expect(broken).toContain('rows belong to nothing');
  expect(broken).toContain(`${damaged.tag} has no outputs`);
  expect(broken).toContain(`${changed.tag} has other outputs`);
  expect(broken).toContain('the setting is 1000000');
});
