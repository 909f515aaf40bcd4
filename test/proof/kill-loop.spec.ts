// SIGKILL at random moments, again and again, under load of all kinds. Whatever was answered must be there at the end,
// with exactly one output a row. ROWBENCH_KILLS sets the number of kills, ROWBENCH_SEED the random sequence.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { brokenAnswers } from '../builders/durability/check-ledger.ts';
import { KilledServer } from '../builders/durability/killed-server.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, report } from './length.ts';

const kills = Number(process.env['ROWBENCH_KILLS'] ?? (isLong ? 2000 : 200));
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);

/** Servers on folders of their own, killed side by side; one of them keeps few runs. */
const keptRuns = [1_000_000, 1_000_000, 25];

/** Half a second is usual for a kill; in ms. */
const timeout = 120_000 + kills * 3000;

it(`loses nothing and repeats nothing over ${kills} kills`, { timeout }, async () => {
  const folder = await temporaryFolder();
  const lanes = keptRuns.map(async (kept, lane) => {
    const random = seededRandom(seed + lane);
    const server = await KilledServer.prepare(folder, { name: `server-${lane}`, keptRuns: kept, random });
    for (let kill = lane; kill < kills; kill += keptRuns.length)
      await server.liveAndDie(() => aMoment(server, random));
    return server;
  });
  const servers = await Promise.all(lanes);
  let accepted = 0;
  let moved = 0;
  for (const [lane, server] of servers.entries()) {
    accepted += server.ledger.accepted.length;
    moved += server.ledger.cancelled.size;
    const broken = await brokenAnswers(server, keptRuns[lane] ?? 0);
    expect(broken.slice(0, 10), `server ${lane}`).toEqual([]);
  }
  expect(accepted).toBeGreaterThan(kills);
  report(`kill loop: ${kills} kills, ${accepted} accepted runs, ${moved} cancelled, no answer broken`);
});

/** Until so many runs more are accepted, at any speed of the machine, and then a little longer. */
async function aMoment({ ledger }: KilledServer, random: () => number): Promise<void> {
  const enough = ledger.accepted.length + Math.floor(random() * 6);
  const deadline = performance.now() + 5000;
  while (ledger.accepted.length < enough && performance.now() < deadline) await setTimeout(2);
  await setTimeout(random() * 80);
}

it('is a rig that sees lost runs, other outputs and lost settings', { timeout: 120_000 }, async () => {
  const server = await KilledServer.prepare(await temporaryFolder(), {
    name: 'one',
    keptRuns: 1000,
    random: seededRandom(7),
  });
  const { accepted, cancelAsked, setting } = server.ledger;
  const untouched = () => accepted.filter(({ runId }) => !cancelAsked.has(runId));
  await server.liveAndDie(() =>
    expect
      .poll(() => Math.min(untouched().length, setting.answered - 1_000_000), { timeout: 30_000 })
      .toBeGreaterThan(2),
  );
  expect(await brokenAnswers(server, 1000)).toEqual([]);

  const [lost, changed] = untouched();
  if (lost === undefined || changed === undefined) throw new Error('two runs are wanted');
  for (const name of [lost.runId, `${lost.runId}.run`])
    await rm(join(server.dataDir, 'runs', name), { recursive: true, force: true });
  await changeOutput(join(server.dataDir, 'runs', changed.runId));
  await writeFile(join(server.dataDir, 'settings.json'), '{ "version": 1 }');
  const broken = (await brokenAnswers(server, 1000)).join('; ');
  expect(broken).toContain(`lost: ${lost.tag}`);
  expect(broken).toContain(`${changed.tag} has no outputs`);
  expect(broken).toContain('the setting is 1000000');
});

/** A small run is one file, a quick one has its outputs in one with its other results; a kill may have left one that is empty. */
async function changeOutput(folder: string): Promise<void> {
  let changed = 0;
  for (const path of [`${folder}.run`, join(folder, 'results'), join(folder, 'outputs.ndjson')]) {
    const text = await readFile(path, 'latin1').catch(() => '');
    if (!text.includes('"double":0')) continue;
    await writeFile(path, text.replace('"double":0', '"double":1'), 'latin1');
    changed += 1;
  }
  expect(changed).toBeGreaterThan(0);
}
