// A sample of the rows first, then the rest.
import { readFile } from 'node:fs/promises';
import { controlOf } from '../builders/control-calls.ts';
import { barriers, barriersInBothThemes, expect, startApp, test } from './in-app.ts';

test('the keys alone run a sample, then its rest', async ({ app, page, enter }) => {
  await app.run('quick', [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cem' }]);
  const [first] = await app.handlers['run.list']({ limit: 1 });
  const source = first?.runId ?? '';
  await expect.poll(async () => (await app.handlers['run.show']({ runId: source })).status).toBe('completed');
  await enter(`/workflows/quick/run?from=${source}&rows=all`);
  await page.getByRole('button', { name: /^Run options/ }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Run options' });
  await dialog.getByLabel('Which rows').selectOption('The first rows');
  await dialog.getByLabel('Number of rows').fill('9');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('there are only 3')).toBeVisible();
  await page.getByRole('button', { name: /^Run options/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Number of rows').fill('1');
  await page.keyboard.press('Enter');
  const header = page.getByRole('region', { name: 'This run' });
  await expect(header).toContainText('attempt 2 · 1 of 1 done');
  expect(await barriers(page)).toEqual([]);
  const sample = page.url();
  await page.getByRole('button', { name: 'Run the other 2 rows' }).focus();
  await page.keyboard.press('Enter');
  await expect(header).toContainText('attempt 3 · 2 of 2 done');
  await expect(header).toContainText('3 of 3 done · 3 attempts');
  await page.goto(sample);
  await expect(header).toContainText('attempt 2 · 1 of 1 done');
  await expect(page.getByRole('button', { name: 'Run all 3 rows again' })).toBeVisible();
});

const scoring = `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=row.size * 2" } }
`;

const sampled = test.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { scoring } });
    await use(app);
    await app.close();
  },
});

// A rerun of any rows of a sample and its rest called itself the sample.
sampled('a rerun of rows of a sample is not called the sample', async ({ app, page, enter }) => {
  const control = await controlOf(app);
  const body = JSON.stringify({ rows: [40, 0, 10].map((size) => ({ size })) });
  const started = await control.send('/workflows/scoring/runs?sample=first%3A2', { body });
  const { runId } = (JSON.parse(started.text) as { data: { runId: string } }).data;
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  const rerun = await app.handlers['run.rerun']({ runId, rows: 'failed' });
  await enter(`/runs/${rerun.runId}`);
  const header = page.getByRole('region', { name: 'This run' });
  await expect(header).toContainText('attempt 2');
  await expect(page.getByRole('button', { name: 'Run the other 1 row' })).toBeVisible();
  await page.getByRole('button', { name: /2 attempts/ }).click();
  const attempts = page.getByRole('dialog', { name: 'Attempts' }).getByRole('listitem');
  await expect(attempts).toHaveText([/open rows/, /sample: the first 2 rows/]);
});

sampled('a sample and its rest are one table, by keyboard', async ({ app, page, enter }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const control = await controlOf(app);
  const body = JSON.stringify({ rows: [40, 10, 0, 30, 20, 0, 60, 50].map((size) => ({ size })) });
  const started = await control.send('/workflows/scoring/runs?sample=first%3A3', { body });
  const { runId } = (JSON.parse(started.text) as { data: { runId: string } }).data;
  await enter(`/runs/${runId}`);
  const grid = page.getByRole('grid', { name: 'Rows', exact: true });
  const numbers = grid.locator('[role=rowheader][id$="-0"]');
  const count = page.getByRole('tabpanel').getByRole('status').first();
  await expect(count).toHaveText('3 rows');
  await page.getByRole('button', { name: 'Run the other 5 rows' }).press('Enter');
  await expect(count).toHaveText('5 rows');
  const scope = page.getByRole('group', { name: 'Scope' });
  const merged = scope.getByRole('button', { name: 'All rows 8' });
  await merged.press('Enter');
  await expect(merged).toHaveAttribute('aria-pressed', 'true');
  await expect(count).toHaveText('8 rows');
  // Rows of the first attempt have no mark.
  const laterRow = grid.getByRole('row').filter({ hasText: 'in attempt ·2' });
  await expect(laterRow).toHaveCount(5);
  await expect(grid.getByText('·1')).toHaveCount(0);
  const failed = page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name: 'Failed 2' });
  await failed.press('Enter');
  await expect(count).toHaveText('2 of 8 rows');
  await expect(numbers).toHaveText(['3', '6']);
  await failed.press('Enter');
  await expect(count).toHaveText('8 rows');
  await page.reload();
  await expect(merged).toHaveAttribute('aria-pressed', 'true');
  await expect(count).toHaveText('8 rows');

  await grid.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'score, output' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(numbers).toHaveText(['2', '5', '4', '1', '8', '7', '3', '6']);
  expect(await barriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Export…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByRole('radio', { name: 'All rows' })).toBeChecked();
  await dialog.getByLabel('Format').selectOption('csv');
  await dialog.getByLabel('Byte order mark').uncheck();
  await expect(dialog).toContainText('5 columns');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export 8 rows' }).press('Enter');
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file.split('\n').map((line) => line.split(',')[0])).toEqual([
    'row',
    '2',
    '5',
    '4',
    '1',
    '8',
    '7',
    '3',
    '6',
    '',
  ]);
  await expect(dialog).toBeHidden();

  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Row 2' });
  await expect(panel).toContainText('attempt 1 of 2');
  await panel.getByRole('tab', { name: /^Attempts/ }).press('Enter');
  await expect(panel.getByRole('listitem')).toHaveText([/Attempt 2 not in it/, /Attempt 1 done[^·]* · /]);
  expect(await barriers(page)).toEqual([]);
  await panel.getByRole('link', { name: 'Attempt 1' }).press('Enter');
  await expect(count).toHaveText('3 rows');
  await page.goBack();
  await expect(count).toHaveText('8 rows');
  // Back restores the focus too, which a key would follow.
  await scope.getByRole('button', { name: /^Attempt 2/ }).click();
  await expect(count).toHaveText('5 rows');
  await expect(numbers).toHaveText(['5', '4', '8', '7', '6']);
});

const measured = `rowbench: 1
id: measured
onRowError: skip
nodes:
  - id: input
    type: input
    fields: { size: { type: number, required: true }, country: { type: string } }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=row.size * 2" } }
`;

const counted = test.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { measured } });
    await use(app);
    await app.close();
  },
});

counted(
  'with a sample, button, dialogs, palette and toast say how many rows run, and the sample ends with its run',
  async ({ app, page, enter }) => {
    await enter('/workflows/measured/run?view=json');
    const sizes = Array.from({ length: 20 }, (_, n) => ({ size: n % 4 === 3 ? 0 : n + 1, country: 'DE' }));
    await page
      .getByRole('textbox', { name: 'Rows as JSON' })
      .fill(JSON.stringify([...sizes, { country: 'FR' }]));
    const run = page.getByRole('button', { name: /^Run \d/ });
    const chip = page.getByText('Sample: 10 random rows');
    await expect(run).toContainText('Run 21 rows');
    await page.getByRole('button', { name: 'Other ways to run' }).press('Enter');
    await page.getByRole('menuitem', { name: /^Try 10 random rows first/ }).press('Enter');
    const anyway = page.getByRole('dialog', { name: 'Run with 1 problem?' });
    await expect(anyway.getByRole('button', { name: 'Run 10 of 21 rows anyway' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(run).toContainText('Run 10 of 21 rows');
    await expect(chip).toBeVisible();
    expect(await barriersInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option', { name: /Run 10 of 21 rows/ })).toBeVisible();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Run options/ }).press('Enter');
    const options = page.getByRole('dialog', { name: 'Run options' });
    await options.getByLabel('Which rows').selectOption('One row for each value of a column');
    await options.getByLabel('Column').fill('country');
    await expect(options.getByRole('button', { name: /^Run 2 of 21 rows/ })).toBeVisible();
    await options.getByLabel('Column').fill('land');
    await expect(options.getByRole('alert')).toHaveText('No row has a column "land"');
    await page.keyboard.press('Escape');

    await run.press('Enter');
    await anyway.getByRole('button', { name: 'Run 10 of 21 rows anyway' }).press('Enter');
    await expect(page.getByRole('log')).toContainText('Started 10 of 21 rows');
    await expect(page.getByRole('region', { name: 'This run' })).toContainText('Run the other 11 rows');
    const [sample] = await app.handlers['run.list']({ limit: 1 });
    expect(sample).toMatchObject({ rows: 10 });

    await page.goBack();
    await expect(run).toContainText('Run 21 rows');
    await expect(chip).toBeHidden();
  },
);

counted(
  'a sample never enters a fix, and does not come back after a reload',
  async ({ app, page, enter }) => {
    const runId = await app.run('measured', [{ size: 1 }, { size: 0 }, { size: 0 }]);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    await enter('/workflows/measured/run?view=json');
    const run = page.getByRole('button', { name: /^Run \d/ });
    await page.getByRole('textbox', { name: 'Rows as JSON' }).fill('[{"size":1},{"size":2},{"size":3}]');
    await page.getByRole('button', { name: 'Other ways to run' }).click();
    await expect(page.getByRole('menuitem', { name: /^Try 10 random/ })).toContainText(
      'There are only 3 rows',
    );
    await page.getByRole('menuitem', { name: 'Choose a sample…' }).click();
    const options = page.getByRole('dialog', { name: 'Run options' });
    await options.getByLabel('Which rows').selectOption('The first rows');
    await options.getByLabel('Number of rows').fill('1');
    await options.getByRole('button', { name: 'Done' }).click();
    await expect(run).toContainText('Run 1 of 3 rows');

    await page.getByRole('navigation').getByRole('link', { name: /^Runs/ }).click();
    await page.getByRole('gridcell', { name: /Completed, 2 failed/ }).click();
    await page.getByRole('button', { name: 'Fix 2 rows…' }).click();
    await expect(run).toContainText('Run 2 rows');
    const saved = page.waitForResponse((answer) => answer.url().includes('draft=yes') && answer.ok());
    await saved;
    await page.reload();
    await expect(run).toContainText('Run 2 rows');
  },
);
