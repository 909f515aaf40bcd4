// A sample of the rows first, then the rest.
import { readFile } from 'node:fs/promises';
import { shortId } from '../../src-main/domain/format.ts';
import { controlOf } from '../builders/control-calls.ts';
import { barriers, expect, startApp, test } from './in-app.ts';

test('the keys alone run a sample, then its rest', async ({ app, page, enter }) => {
  await app.run('quick', [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cem' }]);
  const [first] = await app.handlers['run.list']({ limit: 1 });
  const source = first?.runId ?? '';
  await expect.poll(async () => (await app.handlers['run.show']({ runId: source })).status).toBe('completed');
  await enter(`/workflows/quick/run?from=${source}&rows=all`);
  await page.getByRole('button', { name: /^Run options/ }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Run options' });
  await dialog.getByLabel('Run on').selectOption('The first rows');
  await dialog.getByLabel('Number of rows').fill('9');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('there are only 3')).toBeVisible();
  await page.getByRole('button', { name: /^Run options/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Number of rows').fill('1');
  await page.keyboard.press('Enter');
  const header = page.getByRole('region', { name: 'Progress' });
  await expect(header).toContainText('Sample: the first row; 2 rows left');
  await expect(header).toContainText('1 of 1 rows done');
  expect(await barriers(page)).toEqual([]);
  const sample = page.url();
  await page.getByRole('button', { name: 'Run the rest' }).focus();
  await page.keyboard.press('Enter');
  await expect(header).toContainText('Rest of');
  await expect(header).toContainText('2 of 2 rows done');
  await expect(page.getByRole('button', { name: 'Sample and rest' })).toHaveAttribute('aria-pressed', 'true');
  await page.goto(sample);
  await expect(header).toContainText('The rest was run as');
  await expect(page.getByRole('button', { name: 'Run the rest again' })).toBeVisible();
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
  await page.getByRole('button', { name: 'Run the rest' }).press('Enter');
  const merged = page.getByRole('button', { name: 'Sample and rest' });
  await expect(merged).toHaveAttribute('aria-pressed', 'true');
  await expect(count).toHaveText('8 rows');
  const sampleRow = grid.getByRole('row').filter({ hasText: `in run ${shortId(runId)}` });
  await expect(sampleRow).toHaveCount(3);
  const failed = page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name: 'Failed 2' });
  await failed.press('Enter');
  await expect(count).toHaveText('2 of 8 rows');
  await expect(numbers).toHaveText(['3', '6']);
  await failed.press('Enter');
  await expect(count).toHaveText('8 rows');

  await grid.focus();
  await page.keyboard.press('ArrowUp');
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'score, output' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(numbers).toHaveText(['2', '5', '4', '1', '8', '7', '3', '6']);
  expect(await barriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Export…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByLabel('Latest answer of each row')).toBeChecked();
  await dialog.getByLabel('Format').selectOption('csv');
  await dialog.getByLabel('Byte order mark').uncheck();
  await expect(dialog).toContainText('5 columns');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).press('Enter');
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
  await expect(panel).toContainText('Its newest answer is from');
  expect(await barriers(page)).toEqual([]);
  await panel.getByRole('link', { name: /^run / }).press('Enter');
  await expect(count).toHaveText('3 rows');
  await page.goBack();
  await expect(count).toHaveText('8 rows');
  await page.getByRole('button', { name: 'This run' }).press('Enter');
  await expect(count).toHaveText('5 rows');
  await expect(numbers).toHaveText(['5', '4', '8', '7', '6']);
});
