// From a CSV file of 5,000 contacts to an Excel workbook: failed rows are fixed and run again, and the workbook has the latest
// answer of each row. The expected rows are computed here, from the contacts.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { sampleWorkflow } from '../../src-main/app/sample-workflow.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import { barriers, expect, linkTo, startApp, test as base } from './in-app.ts';
import { readWorkbook } from '../builders/read-workbook.ts';

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { 'score-leads': sampleWorkflow } });
    await use(app);
    await app.close();
  },
});

const count = 5_000;
const names = ['Ada Lovelace', '=SUM(A1)', '007', '李白', 'O\'Neill; "Jo"'];
const contacts = Array.from({ length: count }, (_, index) => ({
  name: `${names[index % names.length]} ${index + 1}`,
  user: `c${index + 1}`,
  /** An email without @, and a company size such as 7k, make rows fail. */
  hasNoAt: index % 64 === 5,
  hasWrongSize: index % 100 === 40,
  size: index % 100 === 40 ? 7_000 : index + 1,
}));
const failing = contacts.filter(({ hasNoAt, hasWrongSize }) => hasNoAt || hasWrongSize).length;

const cellOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csv = [
  'Full name,E-Mail,Company size',
  ...contacts.map(({ name, user, hasNoAt, hasWrongSize, size }) =>
    [cellOf(name), `${user}${hasNoAt ? '(at)' : '@'}firm.example`, hasWrongSize ? '7k' : size].join(','),
  ),
].join('\n');

/** A row of the workbook once everything is fixed. */
const exportedRow = ({ name, user, size }: (typeof contacts)[number], index: number) => ({
  row: index + 1,
  'input.name': name,
  'input.email': `${user}@firm.example`,
  'input.employees': size,
  title: `${name} (0 tags)`,
  host: 'firm.example',
  label: size >= 100 ? 'hot' : size >= 10 ? 'warm' : 'cold',
});

test('5,000 contacts go from CSV to Excel with fixes and reruns merged, in 18 clicks', async ({
  app,
  page,
  problems,
}) => {
  test.setTimeout(120_000);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.goto(await linkTo(app));
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const header = page.getByRole('region', { name: 'This run' });

  await click(button('New run'));
  await click(page.getByRole('option', { name: 'Score leads' }));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(button('Choose file…'))]);
  await chooser.setFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(page.getByRole('combobox', { name: /^email/ })).toHaveValue('E-Mail');
  // A pointer opens the list and chooses from it: two clicks.
  clicks += 2;
  await page.getByRole('combobox', { name: /^employees/ }).selectOption('Company size');
  await click(button('Use 5,000 rows'));
  await click(button(/^Run 5,000 rows/));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Run 5,000 rows anyway' }));
  await expect(header).toContainText(`Completed, ${failing} failed`, { timeout: 60_000 });

  await click(button(`Fix ${failing} rows…`));
  const replaceAll = async (text: string, replacement: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Find' }).fill(text);
    await page.getByRole('textbox', { name: 'Replace with' }).fill(replacement);
    await click(button('Replace all'));
  };
  await click(button('Find and replace'));
  await replaceAll('(at)', '@');
  await click(page.getByRole('group', { name: 'Failed because' }).getByRole('button', { name: /employees/ }));
  await replaceAll('7k', '7000');
  await click(button(new RegExp(`^Run ${failing} rows`)));
  await expect(header).toContainText(`${failing} of ${failing} done`);

  await expect(header).toContainText('5,000 of 5,000 done · 2 attempts');
  await click(button('Export…'));
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByLabel('Format')).toHaveValue('xlsx');
  await expect(dialog.getByRole('radio', { name: /^(All rows|Whole file)/ })).toBeChecked();
  expect(await barriers(page)).toEqual([]);
  const downloading = page.waitForEvent('download');
  await click(dialog.getByRole('button', { name: 'Export' }));
  const download = await downloading;
  await expect(dialog).toBeHidden();

  expect(download.suggestedFilename()).toMatch(/^score-leads-\w{8}\.xlsx$/);
  const lines = (await readWorkbook(await readFile(await download.path()))).trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(contacts.map(exportedRow));
  expect(clicks).toBeLessThanOrEqual(16);
  expect(problems).toEqual([]);
});
