// A run is followed live: rows count when they have ended, and running rows are seen at work.
import { readFile } from 'node:fs/promises';
import type { TestApp } from '../builders/start-test-app.ts';
import { barriers, barriersInBothThemes, expect, resize, startApp, test as base } from './in-app.ts';

const delayed = `rowbench: 1
id: held
name: Held up
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: ask, type: delay, for: 1h, when: "=row.waits" }
  - { id: check, type: fail, after: [ask], when: "=row.fails", message: no }
  - { id: result, type: output, after: [check], fields: { n: "=row.n" } }
`;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const slow = await readFile(new URL('../../examples/slow-rows.workflow.yaml', import.meta.url), 'utf8');
    const app = await startApp({ workflows: { held: delayed, 'slow-rows': slow } });
    await use(app);
    await app.close();
  },
});

/** The third row waits for an hour, so that only the two before it can be saved. */
const delayedRows = Array.from({ length: 10 }, (_, n) => ({ n, waits: n === 2, fails: n === 5 }));

test('ended rows count before they are saved, and running cells show it', async ({ app, page, enter }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const runId = await app.run('held', delayedRows);
  await enter(`/runs/${runId}/matrix`);
  const header = page.getByRole('region', { name: 'This run' });
  await expect(header).toContainText('Running, 1 failed');
  await expect(header).toContainText('8 of 10 done');
  await expect(header).toContainText('2 saved');
  await expect(header.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '90');
  await expect(page).toHaveTitle(/^90 % · Held up …/);
  const cell = page.getByRole('gridcell', { name: /^ask: running, / });
  await expect(cell).toHaveCount(1);
  await expect(cell).toContainText(/^\d+(\.\d)? m?s$/);
  await expect(page.locator('[role=row][aria-rowindex="5"]')).toContainText('Running');
  const ring = cell.locator('svg');
  expect(await ring.evaluate((element) => getComputedStyle(element).animationDuration)).toBe('0s');
  expect(await barriersInBothThemes(page)).toEqual([]);
  await resize(page, 700);
  await expect(cell).toHaveCount(1);
  expect(await barriers(page)).toEqual([]);
  // No program hears of what is not saved.
  expect((await app.services.runs.get(runId)).counts).toEqual({ rowsDone: 2, rowsFailed: 0 });
  await page.getByRole('grid', { name: 'Rows', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText('This row has not ended yet');
  await app.handlers['run.cancel']({ runId });
  await expect(header).toContainText('Cancelled, 1 failed');
  await expect(header).toContainText('8 of 10 done');
  await expect(header).not.toContainText('saved');
  await expect(cell).toHaveCount(0);
});

test('sixty slow rows make steady progress from the first second, with the time left', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run(
    'slow-rows',
    Array.from({ length: 60 }, (_, n) => ({ name: `Row ${n}` })),
  );
  await enter(`/runs/${runId}`);
  const header = page.getByRole('region', { name: 'This run' });
  const seen: { readonly done: number; readonly left: number | undefined }[] = [];
  await expect
    .poll(
      async () => {
        const text = await header.innerText();
        const done = Number(/(\d+) of 60 done/.exec(text)?.[1]);
        const left = /about ([\d.]+) (m?s) left/.exec(text);
        const leftMs = left === null ? undefined : Number(left[1]) * (left[2] === 's' ? 1_000 : 1);
        seen.push({ done, left: leftMs });
        return text.includes('Completed');
      },
      { intervals: [100], timeout: 60_000 },
    )
    .toBe(true);
  expect(new Set(seen.map(({ done }) => done)).size).toBeGreaterThan(10);
  // That the time left only falls is shown by a clock that tests move: run-throughput.spec.ts.
  expect(new Set(seen.flatMap(({ left }) => left ?? [])).size).toBeGreaterThan(5);
});
