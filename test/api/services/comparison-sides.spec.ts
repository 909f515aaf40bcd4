// Comparisons with sides of several runs, and the comparisons that are offered for a run.
import { describe, expect, it } from 'vitest';
import type { RerunWhat } from '../../../src-main/services/runs/reruns.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { aloneAndTeam } from '../../builders/team-of-two.ts';

const scoring = `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=row.size * 2" } }
`;
const lineOf = (size: number): string => `${JSON.stringify({ size, name: `size ${size}` })}\n`;
const rows = [5, 0, 9, 0].map((size) => ({ size, name: `size ${size}` }));

async function ended(services: TestServices, runId: string): Promise<string> {
  const status = async () => (await services.runs.get(runId)).run.status;
  await expect.poll(status, { timeout: 30_000 }).toMatch(/completed|failed/);
  return runId;
}

const start = async (services: TestServices, some = rows): Promise<string> =>
  ended(services, (await services.start('scoring', some)).runId);

async function rerun(services: TestServices, runId: string, what: RerunWhat): Promise<string> {
  const { run } = await services.runs.rerunWith(runId, {}, { what, origin: { kind: 'cli' } });
  return ended(services, run.runId);
}

describe.each(aloneAndTeam)('comparisons of attempts on %s', (_, open) => {
  it('a fix is compared with the rows of its chain before it', async () => {
    const { first: services } = await open({ scoring });
    const other = await start(services);
    const runId = await start(services);
    const fix = await rerun(services, runId, { lines: lineOf(3), numbers: [2] });
    const { comparisons } = services;
    const [before, ...others] = await comparisons.partners(fix);
    expect(before).toEqual({
      reason: 'before',
      firstRunId: `${fix}~1`,
      secondRunId: fix,
      otherRunId: runId,
      rows: 1,
    });
    expect(others).toEqual([
      { reason: 'previous', firstRunId: other, secondRunId: `${fix}~2`, otherRunId: other, rows: 4 },
    ]);
    const found = await comparisons.compare({ firstRunId: `${fix.slice(0, 13)}~1`, secondRunId: fix });
    expect(found).toMatchObject({
      firstRunId: `${fix}~1`,
      firstAttempts: [runId],
      secondAttempts: [fix],
      matching: 'number',
      counts: { fixed: 1, onlyInFirst: 3, onlyInSecond: 0 },
      rows: [{ outcome: 'fixed', firstNumber: 2, secondNumber: 2 }],
    });
    const whole = await comparisons.compare({ firstRunId: `${runId}~1`, secondRunId: `${runId}~2` });
    expect(whole).toMatchObject({
      secondAttempts: [runId, fix],
      counts: { same: 2, fixed: 1, bothFailed: 1 },
      rows: [{ outcome: 'fixed', secondRunId: fix }],
    });
    await expect(comparisons.compare({ firstRunId: `${fix}~3`, secondRunId: fix })).rejects.toMatchObject({
      code: 'invalid_input',
      message: `"${fix}~3" names an attempt that there is not: the chain of the run has 2 attempts`,
    });
  }, 60_000);

  it('a rerun of all rows is compared with the chain that it repeats, then with the last pinned one', async () => {
    const { first: services } = await open({ scoring });
    const pinned = await start(services);
    await services.runs.label(pinned, { name: 'Good', isPinned: true });
    const runId = await start(services);
    const fix = await rerun(services, runId, { lines: lineOf(3), numbers: [2] });
    const again = await start(services);
    const whole = await rerun(services, runId, 'all');
    expect(await services.comparisons.partners(whole)).toMatchObject([
      { reason: 'repeated', firstRunId: `${runId}~2`, secondRunId: whole, otherRunId: fix, rows: 4 },
      { reason: 'pinned', firstRunId: pinned, otherName: 'Good', rows: 4 },
      { reason: 'previous', firstRunId: again },
    ]);
    const first = await services.comparisons.partners(pinned);
    expect(first).toEqual([]);
  }, 60_000);
});

it('the partner that is offered first has a row in common, in 50 random chains', async () => {
  const services = await openTestServices({ scoring });
  const random = seededRandom(13);
  const pick = (max: number): number => Math.floor(random() * max);
  const started: string[] = [];
  for (let chain = 0; chain < 50; chain += 1) {
    let runId = await start(services, rows.slice(0, 1 + pick(4)));
    started.push(runId);
    for (let attempt = pick(3); attempt > 0; attempt -= 1) {
      const what: readonly RerunWhat[] = [
        'all',
        { lines: lineOf(pick(3)), numbers: [1] },
        { lines: lineOf(pick(3)) },
      ];
      runId = await rerun(services, runId, what[pick(what.length)] ?? 'all');
      started.push(runId);
    }
  }
  const offered: number[] = [];
  for (const runId of started) {
    const [best] = await services.comparisons.partners(runId);
    if (best === undefined) continue;
    const { firstRunId, secondRunId, rows: common } = best;
    offered.push(common);
    const { counts } = await services.comparisons.compare({ firstRunId, secondRunId });
    expect(counts.same + counts.changed + counts.fixed + counts.newlyFailing + counts.bothFailed).toBe(
      common,
    );
  }
  expect(Math.min(...offered)).toBeGreaterThan(0);
  expect(offered).toHaveLength(started.length - 1);
}, 120_000);
