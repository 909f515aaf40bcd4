// The latest results of a run and its reruns in the Rows tab, and reruns that stay out of them.
import type { TestApp } from '../builders/start-test-app.ts';
import { expect, startApp, test as base } from './in-app.ts';

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
  await expect(page.getByRole('region', { name: 'This run' })).toContainText(
    'not merged with it: its rows have no numbers of that run',
  );
  const latest = page.getByRole('button', { name: 'Latest results' });
  await expect(latest).toHaveCount(0);
  await page.getByRole('link', { name: /^Rerun of/ }).click();
  const grid = page.getByRole('grid', { name: 'Rows', exact: true });
  await expect(grid).toContainText('10');
  await expect(latest).toHaveCount(0);
  await page.goto(`${page.url().split('#')[0] ?? ''}#rows=latest`);
  await page.reload();
  await expect(latest).toHaveAttribute('aria-pressed', 'true');
  await expect(grid).toContainText('no points');
  await expect(grid).not.toContainText('1000');
});

test('the latest results of a run stay in view after a reload', async ({ app, page, enter }) => {
  const runId = await ended(app, await app.run('points', [{ n: 5 }, { n: 0 }, { n: 9 }]));
  const rows = { lines: '{"n":21}\n', numbers: [2] };
  const rerun = await ended(app, (await app.handlers['run.rerun']({ runId, rows })).runId);
  await enter(`/runs/${rerun}`);
  const latest = page.getByRole('button', { name: 'Latest results' });
  await latest.click();
  const count = page.getByRole('tabpanel').getByRole('status').first();
  await expect(count).toHaveText('3 rows');
  await page.reload();
  await expect(latest).toHaveAttribute('aria-pressed', 'true');
  await expect(count).toHaveText('3 rows');
  await expect(page.getByRole('grid', { name: 'Rows', exact: true })).toContainText('42');
});
