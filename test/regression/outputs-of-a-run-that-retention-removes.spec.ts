// A request for outputs failed with "cannot be read" if retention removed the run meanwhile. That message means damage.
import { expect, it } from 'vitest';
import { LeapingClock, overADay } from '../builders/leaping-clock.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('a reader of a run that is being removed gets its outputs, or "no such run"', async () => {
  const clock = new LeapingClock();
  const services = await openTestServices({ quick }, { clock });
  const runs: string[] = [];
  for (let n = 0; n < 30; n += 1) runs.push((await services.start('quick', [{ n }])).runId);
  const isDone = async (runId: string): Promise<boolean> =>
    (await services.runs.get(runId)).run.status === 'completed';
  const areDone = async (): Promise<boolean> => (await Promise.all(runs.map(isDone))).every(Boolean);
  await expect.poll(areDone, { timeout: 20_000 }).toBe(true);

  clock.leap(overADay);
  const retained = (await services.start('quick', [{ n: 30 }])).runId;
  await expect.poll(() => isDone(retained), { timeout: 20_000 }).toBe(true);
  let removed = 0;
  services.runs.retention.removals.listen(() => void (removed += 1));
  await services.folder.settings.update((settings) => ({
    ...settings,
    retention: { days: 1, gigabytes: 5 },
  }));
  services.runs.applySettings();
  const readWhileThere = async (runId: string): Promise<string> => {
    for (;;) {
      const isOver = removed === runs.length;
      try {
        let text = '';
        for await (const { bytes } of services.runs.readOutputPieces(runId, 1))
          text += Buffer.from(bytes).toString();
        if (isOver || !text.startsWith('{"n":')) return text;
      } catch (error) {
        return (error as { code: string }).code;
      }
    }
  };
  const found = await Promise.all([...runs, retained].map(readWhileThere));
  expect(found).toEqual([...runs.map(() => 'run_not_found'), '{"n":30}\n']);
});
