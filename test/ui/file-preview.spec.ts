// The preview of a file of rows: what was decided about it, what the user decides otherwise, and what is remembered.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { smallWorkbook } from '../builders/small-workbook.ts';
import { barriersInBothThemes, expect, holdAnswer, resize, test } from './in-app.ts';

const orders = `rowbench: 1
id: orders
name: Orders
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true }
      amount: { type: number }
      joined: { type: string }
  - { id: result, type: output, after: [input], fields: { name: =row.name, amount: =row.amount } }
`;

test.beforeEach(async ({ app }) => {
  await writeFile(join(app.dataDir, 'workflows', 'orders.workflow.yaml'), orders);
  await app.services.workflows.refresh();
});

const choose = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page
    .getByLabel('File of rows')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

const causes = (page: Page) => page.getByRole('list', { name: 'What stands out in the file' });
const cell = (page: Page, text: string) => page.getByRole('cell', { name: text, exact: true });

const damaged = [
  'Orders of November;;',
  'Name;Amount (EUR);Joined on',
  ' Ada ;1.5;2025-01-31',
  'Bo;7747,38;31.12.2025',
  'Cy;k.A.;2025-02-28',
  ';;',
  'Di;12k;2025-03-01;more',
].join('\r\n');

test('causes are repaired and taken back by keyboard, and lines are shown', async ({
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/orders/run?view=file');
  await choose(page, 'orders.csv', damaged);
  await expect(page.getByText('CSV · 4 rows')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'header in line 2' })).toBeVisible();
  await expect(causes(page).getByText('amount: 1 value is no number, such as 12k')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'k.A. (is not a number)', exact: true })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);

  await causes(page)
    .getByRole('button', { name: 'Read as numbers: amount: 1 value like 7747,38' })
    .press('Enter');
  await causes(page).getByRole('button', { name: 'Make ISO: joined: 1 date like 31.12.2025' }).press('Enter');
  await causes(page).getByRole('button', { name: 'Leave empty: amount: 1 × k.A.' }).press('Enter');
  await causes(page).getByRole('button', { name: 'Trim: name: 1 cell with blanks around' }).press('Enter');
  await expect(cell(page, '7747.38')).toBeVisible();
  await expect(cell(page, '2025-12-31')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'k.A.' })).toHaveCount(0);
  await causes(page).getByRole('button', { name: 'Undo: joined: 1 date like 31.12.2025' }).press('Enter');
  await expect(cell(page, '31.12.2025')).toBeVisible();

  const empty = causes(page).getByRole('listitem').filter({ hasText: '1 empty line left out' });
  await empty.getByRole('button', { name: 'Show' }).press('Enter');
  await expect(empty.getByRole('listitem')).toHaveText(/^6\s*;;$/);
  const long = causes(page)
    .getByRole('listitem')
    .filter({ hasText: '1 line has more cells than the header' });
  await long.getByRole('button', { name: 'Show' }).press('Enter');
  await expect(long.getByRole('listitem')).toHaveText(/^7\s*Di;12k;2025-03-01;more$/);
  await causes(page)
    .getByRole('button', { name: 'Leave out: 1 line has more cells than the header' })
    .press('Enter');
  await expect(page.getByText('CSV · 3 rows')).toBeVisible();
  await expect(cell(page, '7747.38')).toBeVisible();
  const undo = causes(page).getByRole('button', {
    name: 'Undo: 1 line with more cells than the header left out',
  });
  await expect(undo).toBeFocused();
  await undo.press('Enter');
  await expect(page.getByText('CSV · 4 rows')).toBeVisible();
  await expect(cell(page, '7747.38')).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await resize(page, 420);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
  expect(problems).toEqual([]);
});

test('a press on a line makes it the header, and choices above read the file again', async ({
  page,
  enter,
}) => {
  await enter('/workflows/orders/run?view=file');
  await choose(page, 'two.csv', 'travel,,\nname,amount,joined\nAda,1,2\nBo,3,4\n');
  await expect(page.getByRole('combobox', { name: 'Header in row' })).toHaveValue('2');
  const line = (number: number) =>
    page.getByRole('button', { name: `Header in line ${number}`, exact: true });
  await line(3).press('Enter');
  await expect(line(3)).toBeFocused();
  await expect(page.getByText('CSV · 1 row')).toBeVisible();
  await expect(line(3)).toHaveAttribute('aria-pressed', 'true');
  await line(1).click();
  await line(2).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('combobox', { name: 'Header in row' })).toHaveValue('1-2');
  await expect(page.getByText('CSV · 2 rows')).toBeVisible();
  await page.getByRole('combobox', { name: 'Header in row' }).selectOption('none');
  await expect(page.getByText('CSV · 4 rows')).toBeVisible();
  await page.getByRole('combobox', { name: 'Delimiter' }).selectOption('Semicolon');
  await expect(page.getByText('1 extra column', { exact: true })).toBeVisible();
});

test('a row of a sheet becomes the header, too', async ({ page, enter }) => {
  await enter('/workflows/orders/run?view=file');
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const row = (...cells: string[]): string => `<row>${cells.map(text).join('')}</row>`;
  const rows = row('Title') + row('name', 'joined') + row('Ada', 'x') + row('Bo', 'y');
  await choose(page, 'book.xlsx', await smallWorkbook({ sheets: [{ name: 'One', rows }] }));
  await expect(page.getByText('Excel · 2 rows')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Header in row' })).toHaveValue('2');
  await page.getByRole('button', { name: 'Header in row 3', exact: true }).click();
  await expect(page.getByText('Excel · 1 row')).toBeVisible();
});

test('columns are as in the last file with the same names, until the user starts anew', async ({
  page,
  enter,
}) => {
  await enter('/workflows/orders/run?view=file');
  await choose(page, 'one.csv', 'Who,Sum\nAda,"1,5"\nBo,"2,5"\nCy,3.5\n');
  const name = page.getByRole('combobox', { name: /^name/ });
  await name.selectOption('Who');
  await page.getByRole('combobox', { name: /^amount/ }).selectOption('Sum');
  await causes(page)
    .getByRole('button', { name: /^Read as numbers/ })
    .click();
  await page.getByRole('button', { name: 'Use 3 rows' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'File' }).click();
  await choose(page, 'two.csv', 'SUM,who\n"4,5",Di\n');
  const remembered = page.getByRole('status').filter({ hasText: 'Columns as on' });
  await expect(remembered).toBeVisible();
  await expect(name).toHaveValue('who');
  await expect(cell(page, '4.5')).toBeVisible();
  await remembered.getByRole('button', { name: 'start anew' }).press('Enter');
  await expect(name).toHaveValue('');
  await expect(remembered).toHaveCount(0);
});

test('a file of more rows than the grid runs whole, with the mapping of the preview', async ({
  app,
  page,
  enter,
  problems,
}) => {
  test.slow();
  const rows = Array.from({ length: 100_066 }, (_, n) => `Name ${n};${n % 2 === 0 ? `${n},5` : `${n}.5`}`);
  const buffer = Buffer.from(['Name;Amount (EUR)', ...rows].join('\n'));
  await enter('/workflows/orders/run?view=file');
  await choose(page, 'large.csv', buffer);
  await expect(page.getByText('CSV · 100,066 rows')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('The grid takes the first 100,000 rows.')).toBeVisible();
  await causes(page)
    .getByRole('button', { name: /^Read as numbers: amount: 50,033 values like 0,5/ })
    .click();
  const runAll = page.getByRole('button', { name: 'Run all 100,066' });

  // Stopped on its way, it leaves no run.
  const late = await holdAnswer(page, '**/runs?*file=yes*');
  await runAll.click();
  await late.isBlocked;
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(runAll).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(await app.handlers['run.list']({ limit: 1 })).toEqual([]);

  await runAll.click();
  await expect(page).toHaveURL(/\/runs\//, { timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('100,066 of 100,066 done', {
    timeout: 60_000,
  });
  await expect(page.getByRole('region', { name: 'This run' })).not.toContainText('failed');
  expect(await app.handlers['run.list']({ limit: 1 })).toMatchObject([{ rows: 100_066 }]);
  expect(problems).toEqual([]);
});
