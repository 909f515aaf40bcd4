// A sample of the rows first, then the rest.
import { barriers, expect, test } from './in-app.ts';

test('the keys alone run a sample, then its rest', { tag: '@main' }, async ({ app, page, enter }) => {
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
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('there are only 3')).toBeVisible();
  await page.getByRole('button', { name: /^Run options/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Number of rows').fill('1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  const header = page.getByRole('region', { name: 'Progress' });
  await expect(header).toContainText('Sample: the first row; 2 rows left');
  await expect(header).toContainText('1 of 1 rows done');
  expect(await barriers(page)).toEqual([]);
  const sample = page.url();
  await page.getByRole('button', { name: 'Run the rest' }).focus();
  await page.keyboard.press('Enter');
  await expect(header).toContainText('Rest of');
  await expect(header).toContainText('2 of 2 rows done');
  await page.goto(sample);
  await expect(header).toContainText('The rest was run as');
  await expect(page.getByRole('button', { name: 'Run the rest again' })).toBeVisible();
});
