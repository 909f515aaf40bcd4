// The export dialog, by keyboard, and what it saves.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { SheetProcess } from '../../src-main/executor/parser/sheet-process.ts';
import { barriers, expect, startApp, test as base } from './in-app.ts';
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

/** The rows of a workbook as Rowbench reads them. */
async function linesOf(bytes: Uint8Array): Promise<string> {
  const script = join(import.meta.dirname, '../../dist/sheet-reader.js');
  const reader = new SheetProcess({ script, clock: systemClock });
  try {
    const answer = await reader.read({ types: [], bytes });
    return answer.type === 'rows' ? Buffer.from(answer.lines).toString() : JSON.stringify(answer);
  } finally {
    await reader.close();
  }
}

// Without the browser's dialog, which no test can operate, the page downloads the file.
test.beforeEach(({ page }) => page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker')));

const rows = [
  { n: 1, name: '=SUM(A1)' },
  { n: 2, name: '007' },
  { n: 3, name: '李白' },
];

test(
  'the export dialog saves an Excel workbook with inputs and failed rows, by keyboard',
  { tag: '@main' },
  async ({ app, page, enter }) => {
    const runId = await app.run('grades', rows);
    await enter(`/runs/${runId}/outputs`);
    const button = page.getByRole('button', { name: 'Export' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Excel and more options…' }).focus();
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
    const lines = await linesOf(await readFile(await download.path()));
    expect(lines).toBe(
      '{"row":1,"input.n":1,"input.name":"=SUM(A1)","name":"=SUM(A1)","points":2}\n' +
        '{"row":2,"input.n":2,"input.name":"007","failed.message":"no grade"}\n' +
        '{"row":3,"input.n":3,"input.name":"李白","name":"李白","points":6}\n',
    );
    await expect(dialog).toBeHidden();
    await button.click();
    await page.getByRole('menuitem', { name: 'Excel and more options…' }).click();
    await expect(dialog).toContainText('6 of 7 columns');
  },
);

test('an export that is cancelled leaves no file', async ({ app, page, enter }) => {
  const runId = await app.run('grades', rows);
  await enter(`/runs/${runId}/outputs`);
  let hasBegun = false;
  await page.route('**/export', () => {
    hasBegun = true; // And no answer comes.
  });
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Excel and more options…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog).toContainText('7 columns');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByRole('progressbar', { name: 'Export progress' })).toBeVisible();
  await expect.poll(() => hasBegun).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled();
  expect(downloads).toEqual([]);
});
