// All rows of a chain in the Rows tab, one of its attempts, and reruns that stay out of it.
import type { TestApp } from '../builders/start-test-app.ts';
import { barriers, expect, startApp, test as base } from './in-app.ts';

const points = `rowbench: 1
id: points
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n > 0", message: "no points" }
  - { id: result, type: output, after: [check], fields: { points: "=row.n * 2" } }
`;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { points }, limits: 'off' });
    await use(app);
    await app.close();
  },
});

async function ended(app: TestApp, runId: string): Promise<string> {
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).finishedAt).not.toBeNull();
  return runId;
}

test('a rerun with rows added in the app stays out of the results of its run, and says so', async ({
  app,
  page,
  enter,
}) => {
  const runId = await ended(app, await app.run('points', [{ n: 5 }, { n: 0 }, { n: 9 }]));
  await enter(`/workflows/points/run?from=${runId}&rows=failed`);
  await expect(page.getByText('rows keep their numbers')).toBeVisible();
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('1000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('keeps its results to itself')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/runs\//);
  const details = page.getByRole('dialog', { name: 'Details of the run' });
  await page.getByRole('button', { name: 'Details of the run' }).click();
  await expect(details).toContainText('not merged with it: its rows have no numbers of that run');
  await page.keyboard.press('Escape');
  const scope = page.getByRole('group', { name: 'Scope' });
  await expect(scope).toHaveCount(0);
  await page.getByRole('link', { name: /^Rerun of/ }).click();
  const grid = page.getByRole('grid', { name: 'Rows', exact: true });
  await expect(grid).toContainText('10');
  await expect(grid).toContainText('no points');
  await expect(grid).not.toContainText('1000');
  await expect(scope).toHaveCount(0);
});

test('each attempt shows all rows of its chain, and itself alone on request, also after a reload', async ({
  app,
  page,
  enter,
}) => {
  const runId = await ended(app, await app.run('points', [{ n: 5 }, { n: 0 }, { n: 9 }]));
  const rows = { lines: '{"n":21}\n', numbers: [2] };
  const rerun = await ended(app, (await app.handlers['run.rerun']({ runId, rows })).runId);
  await enter(`/runs/${rerun}`);
  const grid = page.getByRole('grid', { name: 'Rows', exact: true });
  const scope = page.getByRole('group', { name: 'Scope' });
  const count = page.getByRole('tabpanel').getByRole('status').first();
  await expect(scope.getByRole('button', { name: 'All rows 3' })).toHaveAttribute('aria-pressed', 'true');
  await expect(count).toHaveText('3 rows');
  await expect(grid).toContainText('42');
  await page.reload();
  await expect(count).toHaveText('3 rows');
  await expect(grid).toBeFocused();
  await page.keyboard.press('w');
  await expect(count).toHaveText('1 row');
  await expect(page).toHaveURL(/#rows=attempt$/);
  await page.reload();
  const attempt = scope.getByRole('button', { name: 'Attempt 2 1' });
  await expect(attempt).toHaveAttribute('aria-pressed', 'true');
  await expect(count).toHaveText('1 row');
  await page.getByRole('button', { name: '3 of 3 done · 2 attempts' }).click();
  const attempts = page.getByRole('dialog', { name: 'Attempts' });
  await expect(attempts.getByRole('listitem')).toHaveText([/Attempt 2.*fixed rows/, /Attempt 1.*all rows/]);
  expect(await barriers(page)).toEqual([]);
  await attempts.getByRole('link', { name: 'Attempt 1' }).click();
  await expect(count).toHaveText('3 rows');
  await expect(grid).toContainText('no points');
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('attempt 1 · 2 of 3 done');
});
