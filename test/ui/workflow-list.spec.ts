// The list of workflows: broken files first, each folder once, and the keys that move along the rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barriersInBothThemes, expect, resize, runList, startApp, test as base } from './in-app.ts';
import { sampleWorkflows } from '../builders/start-test-app.ts';

const named = sampleWorkflows.echo.replace('id: echo', 'id: echo\nname: Echo rows');

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { echo: named } });
    await writeFile(
      join(app.dataDir, 'workflows', 'zoo.workflow.yaml'),
      'rowbench: 1\nid: zoo\nnodes:\n  - { id: in, type: input\n  - { id: out, type: output }\n',
    );
    await use(app);
    await app.close();
  },
});

test('broken files come first and are counted in the side bar, also in a narrow window', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows');
  const rows = page.getByRole('grid', { name: 'Workflows' }).locator('tr[data-workflow]');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('zoo');
  await expect(rows.first()).toContainText('1 error');
  await expect(page.getByText(join(app.dataDir, 'workflows'), { exact: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Workflows' })).toContainText('1 file with errors');
  for (const width of [700, 1440]) {
    await resize(page, width, 700);
    for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(33);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await barriersInBothThemes(page)).toEqual([]);
  await rows.first().getByRole('link').click();
  await page.getByRole('main').getByRole('button', { name: /error/ }).click();
  await expect(page.getByRole('list', { name: 'Issues' })).toContainText('This { is never closed');
});

test('J and K move along the rows, and each row is one Tab stop', async ({ page, enter }) => {
  await enter('/workflows');
  const name = (text: string) => page.getByRole('link', { name: text, exact: true });
  // The list takes the keys on arrival.
  await expect(name('zoo')).toBeFocused();
  await page.keyboard.press('j');
  await expect(name('Echo rows')).toBeFocused();
  await page.keyboard.press('k');
  await expect(name('zoo')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(name('Echo rows')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Run Echo rows' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/echo$/);
});

test('runs and Recent show the name of the workflow, and its id as the title', async ({
  app,
  page,
  enter,
}) => {
  await app.run('echo', [{ n: 1 }]);
  await enter('/runs');
  const { row } = runList(page);
  await expect(row('Echo rows').getByTitle('echo', { exact: true })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Places' }).getByTitle(/^echo: /)).toContainText(
    'Echo rows',
  );
  await page.keyboard.press('/');
  await page.keyboard.type('echo rows');
  await expect(row('Echo rows')).toHaveCount(1);
});
