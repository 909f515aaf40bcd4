// The export dialog, by keyboard, and what it saves.
import { readFile } from 'node:fs/promises';
import { barriers, expect, startApp, test as base } from './in-app.ts';
import { readWorkbook } from '../builders/read-workbook.ts';
import type { TestApp } from '../builders/start-test-app.ts';

const grades = `rowbench: 1
id: grades
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: fail, message: no grade, rows: [2] }
  - { id: result, type: output, after: [check], fields: { name: "=row.name", points: "=row.n * 2" } }
`;

const points = `rowbench: 1
id: points
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n > 0", message: "no points" }
  - { id: result, type: output, after: [check], fields: { points: "=row.n * 2" } }
`;

const orders = `rowbench: 1
id: orders
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { order: =row.order, lines: =row.lines } }
`;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { grades, orders, points }, limits: 'off' });
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
  await expect(dialog).toContainText('7 columns');
  await dialog.getByText(/^\d+ columns/).press('Enter');
  await expect(dialog.getByRole('checkbox', { name: 'input.name' })).toBeChecked();
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

test('the export dialog saves a line for each entry of a list, and says how many', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('orders', [
    { order: 17, lines: [{ sku: 'A1' }, { sku: 'B2' }] },
    { order: 18, lines: [] },
  ]);
  await enter(`/runs/${runId}/rows`);
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('checkbox', { name: 'Input columns' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'One line for each entry of' }).check();
  await expect(dialog.getByLabel('List')).toHaveValue('lines');
  await dialog.getByText(/^\d+ columns/).click();
  await expect(dialog.getByRole('checkbox', { name: 'entry', exact: true })).toBeChecked();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByLabel('Format').selectOption('json');
  await expect(dialog.getByRole('checkbox', { name: 'One line for each entry of' })).toBeChecked();
  await dialog.getByLabel('Format').selectOption('csv');
  await dialog.getByRole('checkbox', { name: /^Byte order mark/ }).uncheck();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export 2 rows' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toBe(
    'row,entry,order,lines.sku,failed.node,failed.message\n1,1,17,A1,,\n1,2,17,B2,,\n2,,18,,,\n',
  );
  await expect(page.getByText(/^Saved 3 lines of 2 rows as orders-/)).toBeVisible();
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
  const shown = dialog.getByRole('radio', { name: 'Rows shown' });
  expect(numbersOf(await save(() => expect(shown).toBeChecked()))).toEqual([2]);
  await expect(dialog).toBeHidden();
  const all = dialog.getByRole('radio', { name: 'All rows' });
  expect(numbersOf(await save(() => all.check()))).toEqual([4, 3, 2, 1]);
});

/** Rows of a file, without its head. */
async function rowsIn(format: string, file: Buffer): Promise<number> {
  const text = file.toString('utf8');
  if (format === 'xlsx') return (await readWorkbook(file)).split('\n').filter(Boolean).length;
  if (format === 'json') return (JSON.parse(text) as unknown[]).length;
  return text.split(/\r?\n/).filter(Boolean).length - (format === 'csv' ? 1 : 0);
}

test('the button says how many rows the file gets, for each set of rows', async ({ app, page, enter }) => {
  const ended = async (runId: string): Promise<string> => {
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).finishedAt).not.toBeNull();
    return runId;
  };
  const runId = await ended(
    await app.run(
      'points',
      [0, 5, 0, 7, 0, 9, 3].map((n) => ({ n })),
    ),
  );
  const fixed = { lines: '{"n":4}\n{"n":0}\n', numbers: [1, 3] };
  await ended((await app.handlers['run.rerun']({ runId, rows: fixed })).runId);
  await ended((await app.handlers['run.rerun']({ runId, rows: { lines: '{"n":1000}\n' } })).runId);
  await enter(`/runs/${runId}`);
  await page.getByRole('button', { name: /^Failed/ }).click();
  await expect(page.getByRole('tabpanel').getByRole('status').first()).toHaveText('2 of 7 rows');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const sets = [
    { scope: 'Rows shown', withFailed: true, text: '2 rows · failed', rows: 2, format: 'ndjson' },
    { scope: 'Rows shown', withFailed: false, text: '2 rows · failed', rows: 0, format: 'csv' },
    { scope: 'Attempt 1', withFailed: true, text: '7 rows · 4 with output', rows: 7, format: 'json' },
    { scope: 'All rows', withFailed: true, text: '7 rows · 5 with output', rows: 7, format: 'csv' },
    { scope: 'All rows', withFailed: false, text: '7 rows · 5 with output', rows: 5, format: 'xlsx' },
  ];
  for (const { scope, withFailed, text, rows, format } of sets) {
    await page.getByRole('button', { name: 'Export…' }).click();
    await dialog.getByRole('radio', { name: `${scope} ${text}`, exact: true }).check();
    await dialog.getByRole('checkbox', { name: 'Failed rows, with the reason' }).setChecked(withFailed);
    await dialog.getByLabel('Format').selectOption(format);
    const button = dialog.getByRole('button', { name: `Export ${rows} rows`, exact: true });
    if (rows === 0) {
      await expect(button).toBeDisabled();
      await expect(dialog).toContainText('No row has an output. Include the failed rows');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    } else {
      const downloading = page.waitForEvent('download');
      await button.click();
      expect(await rowsIn(format, await readFile(await (await downloading).path())), format).toBe(rows);
    }
    await expect(dialog).toBeHidden();
  }
});
