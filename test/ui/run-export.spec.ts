// The export dialog, by keyboard, and what it saves.
import { readFile } from 'node:fs/promises';
import { barriers, expect, startApp, test as base } from './in-app.ts';
import { readWorkbook } from './read-workbook.ts';
import type { TestApp } from '../builders/start-test-app.ts';

const grades = `rowbench: 1
id: grades
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: fail, message: no grade, rows: [2] }
  - { id: result, type: output, after: [check], fields: { name: "=row.name", points: "=row.n * 2" } }
`;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { grades }, limits: 'off' });
    await use(app);
    await app.close();
  },
});

// Without the browser's dialog, which no test can operate, the page downloads the file.
test.beforeEach(({ page }) => page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker')));

const rows = [
  { n: 1, name: '=SUM(A1)' },
  { n: 2, name: '007' },
  { n: 3, name: '李白' },
];

test('the export dialog saves an Excel workbook with inputs and failed rows, by keyboard', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('grades', rows);
  await enter(`/runs/${runId}/rows`);
  await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('李白');
  const button = page.getByRole('button', { name: 'Export…' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByLabel('Format')).toHaveValue('xlsx');
  await expect(dialog.getByRole('checkbox', { name: 'input.name' })).toBeChecked();
  await expect(dialog).toContainText('7 columns');
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'failed.node' }).focus();
  await page.keyboard.press('Space');
  await expect(dialog).toContainText('6 of 7 columns');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^grades-\w{8}\.xlsx$/);
  const lines = await readWorkbook(await readFile(await download.path()));
  expect(lines).toBe(
    '{"row":1,"input.n":1,"input.name":"=SUM(A1)","name":"=SUM(A1)","points":2}\n' +
      '{"row":2,"input.n":2,"input.name":"007","failed.message":"no grade"}\n' +
      '{"row":3,"input.n":3,"input.name":"李白","name":"李白","points":6}\n',
  );
  await expect(dialog).toBeHidden();
  await button.click();
  await expect(dialog).toContainText('6 of 7 columns');
});

test('an export that is cancelled leaves no file', async ({ app, page, enter }) => {
  const runId = await app.run('grades', rows);
  await enter(`/runs/${runId}/rows`);
  let hasBegun = false;
  await page.route('**/export', () => {
    hasBegun = true; // And no answer comes.
  });
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog).toContainText('7 columns');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByRole('progressbar', { name: 'Export progress' })).toBeVisible();
  await expect.poll(() => hasBegun).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export…' })).toBeEnabled();
  expect(downloads).toEqual([]);
});

test('what is shown is exported in its order, or all rows, as is chosen', async ({ app, page, enter }) => {
  const runId = await app.run('grades', [...rows, { n: 4, name: 'Ada' }]);
  await enter(`/runs/${runId}`);
  await page
    .getByRole('columnheader', { name: 'n, input' })
    .getByRole('button', { name: 'n', exact: true })
    .dblclick();
  await expect(page).toHaveURL(/sort=/);
  await page.getByRole('button', { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/where=/);
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  const save = async (change: () => Promise<unknown>): Promise<string> => {
    await page.getByRole('button', { name: 'Export…' }).click();
    await expect(dialog).toContainText('columns');
    await dialog.getByLabel('Format').selectOption('NDJSON');
    await change();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    return readFile(await (await downloading).path(), 'utf8');
  };
  const numbersOf = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { row: number }).row);
  expect(numbersOf(await save(() => expect(dialog).toHaveAccessibleName('Export 1 row')))).toEqual([2]);
  await expect(dialog).toBeHidden();
  expect(
    numbersOf(
      await save(() => dialog.getByLabel('Rows', { exact: true }).selectOption('All rows of the run')),
    ),
  ).toEqual([4, 3, 2, 1]);
});
