// Rows that a user prepares survive a reload of the page and a restart of the server, until they are run or discarded.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { TestApp } from '../builders/start-test-app.ts';
import { barriers, expect, linkTo, startApp, test } from './in-app.ts';

const entry = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Rows' }),
  text: page.getByRole('textbox', { name: 'Rows as JSON' }),
  run: page.getByRole('button', { name: /^Run \d/ }),
  note: page.getByText(/^Restored your rows from \d\d:\d\d$/),
  discard: page.getByRole('button', { name: 'Discard', exact: true }),
});

const storedRows = async ({ handlers }: TestApp): Promise<number | undefined> =>
  (await handlers['rows.draft']({ workflowId: 'quick' }))?.rows;

const rows = [
  { name: 'Ada', age: null, zip: '007', tags: [1, { x: '2' }] },
  { name: '', zip: '1e5', note: '陳 🦊' },
];

test('prepared rows are back after a reload and a restart, value by value', async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), 'rowbench-draft-'));
  let app = await startApp({ home });
  try {
    const { grid, text, note, run } = entry(page);
    await page.goto(await linkTo(app, '/workflows/quick/run?view=json'));
    await text.fill(JSON.stringify(rows));
    // The first row of a draft describes the others.
    await expect.poll(() => storedRows(app)).toBe(3);
    await page.reload();
    await expect(note).toBeVisible();
    expect(JSON.parse(await text.inputValue())).toEqual(rows);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Grid' }).press('Enter');
    await expect(grid).toContainText('陳 🦊');

    // A text that is not valid yet stays beside the rows.
    await page.getByRole('tab', { name: 'JSON' }).press('Enter');
    await text.fill('[{"name":');
    await expect(run).toBeDisabled();
    const saved = (await app.handlers['rows.draft']({ workflowId: 'quick' }))?.id;
    await expect
      .poll(async () => (await app.handlers['rows.draft']({ workflowId: 'quick' }))?.id)
      .not.toBe(saved);
    await app.close();
    app = await startApp({ home, port: app.port });
    await page.reload();
    await expect(text).toHaveValue('[{"name":');
    await page.getByRole('button', { name: 'Back to the rows' }).press('Enter');
    expect(JSON.parse(await text.inputValue())).toEqual(rows);
  } finally {
    await app.close();
    await rm(home, { recursive: true, force: true });
  }
});

test('rows that were run, or discarded, do not come back', async ({ app, page, enter }) => {
  await enter('/workflows/quick/run');
  const { grid, note, discard, run } = entry(page);
  await grid.press('Enter');
  const fill = async (): Promise<void> => {
    await page.getByRole('tab', { name: 'JSON' }).press('Enter');
    await entry(page).text.fill('[{"n":1},{"n":2}]');
    await expect.poll(() => storedRows(app)).toBe(3);
  };
  await page.keyboard.press('Escape');
  await fill();
  await page.reload();
  await expect(note).toBeVisible();
  await discard.press('Enter');
  await expect(page.getByText('Rows discarded')).toBeVisible();
  await expect.poll(() => storedRows(app)).toBeUndefined();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(run).toContainText('Run 2 rows');
  await expect.poll(() => storedRows(app)).toBe(3);

  await run.press('Enter');
  await expect(page).toHaveURL(/\/runs\//);
  await expect.poll(() => storedRows(app)).toBeUndefined();
  await page.goto(`${app.url}/workflows/quick/run`);
  await expect(page.getByRole('heading', { name: 'No rows yet' })).toBeVisible();
  await expect(note).toBeHidden();
});

test('of two tabs of one workflow the last writer wins', async ({ app, page, enter, context, problems }) => {
  await enter('/workflows/quick/run?view=json');
  await entry(page).text.fill('[{"n":1}]');
  await expect.poll(() => storedRows(app)).toBe(2);
  const other = await context.newPage();
  await other.goto(`${app.url}/workflows/quick/run?view=json`);
  await expect(entry(other).text).toHaveValue(/"n": ?1/);
  await entry(other).text.fill('[{"n":1},{"n":2}]');
  await expect.poll(() => storedRows(app)).toBe(3);
  // The draft of the first tab is replaced: its run leaves the other one alone.
  await entry(page).run.press('Enter');
  await expect(page).toHaveURL(/\/runs\//);
  await page.goto(`${app.url}/workflows/quick/run?view=json`);
  await expect(entry(page).text).toHaveValue(/"n": ?2/);
  expect(problems).toEqual([]);
});

test('rows are saved at once when the user turns to another tab', async ({ app, page, enter }) => {
  await page.clock.install();
  await enter('/workflows/quick/run?view=json');
  const { text, run } = entry(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await text.fill('[{"n":1},{"n":2}]');
  // The page reads the text after a pause in typing, which ends before that of saving.
  await page.clock.runFor(500);
  await expect(run).toContainText('Run 2 rows');
  expect(await storedRows(app)).toBeUndefined();
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => storedRows(app)).toBe(3);
});

test('a failed save is reported once, and the rows stay usable', async ({ app, page, enter }) => {
  const saves: string[] = [];
  await page.route('**/row-sets?draft=yes', async (route) => {
    saves.push(route.request().method());
    await route.fulfill({
      status: 507,
      headers: { 'x-rowbench-error': 'disk_full' },
      json: { success: false, error: 'The disk is full' },
    });
  });
  await enter('/workflows/quick/run?view=json');
  const { text, run } = entry(page);
  const notice = page.getByText('These rows would not survive a reload: The disk is full');
  await text.fill('[{"n":1}]');
  await expect(notice).toBeVisible();
  await page
    .getByRole('button', { name: /^Dismiss/ })
    .first()
    .press('Enter');
  await text.fill('[{"n":1},{"n":2}]');
  await expect.poll(() => saves.length).toBe(2);
  await expect(notice).toBeHidden();
  await run.press('Enter');
  await expect(page).toHaveURL(/\/runs\//);
  expect((await app.handlers['run.list']({ limit: 1 }))[0]).toMatchObject({ rows: 2 });
});

test('many rows are saved once, after a pause that grows with them', async ({ app, page, enter }) => {
  let saves = 0;
  page.on('request', (request) => (saves += request.url().endsWith('draft=yes') ? 1 : 0));
  const file = join(app.dataDir, 'many.csv');
  const count = 40_000;
  await writeFile(file, `n,name\n${Array.from({ length: count }, (_, n) => `${n},row ${n}`).join('\n')}`);
  await enter('/workflows/quick/run?view=file');
  await page.getByLabel('File of rows').setInputFiles(file);
  await page.getByRole('button', { name: /^Use/ }).first().press('Enter');
  const { grid, run, note } = entry(page);
  await expect(run).toContainText('Run 40,000 rows');
  // Edits in the meantime wait with the first change.
  await grid.focus();
  for (let edit = 0; edit < 3; edit += 1) await page.keyboard.type(`${edit}\n`);
  await expect.poll(() => storedRows(app), { timeout: 30_000 }).toBe(count + 1);
  expect(saves).toBe(1);
  await page.reload();
  await expect(note).toBeVisible({ timeout: 30_000 });
  await expect(run).toContainText('Run 40,000 rows');
});
