// Row entry: rows typed, pasted as text, read from files, taken from runs and sets, and run.
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { smallWorkbook } from '../builders/small-workbook.ts';
import { outputPath } from '../builders/start-test-app.ts';
import { barriers, barriersInBothThemes, expect, linkTo, resize, startApp, test } from './in-app.ts';

const scoring = `rowbench: 1
id: scoring
name: Score leads
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true, description: Who it is }
      age: { type: number }
      tags: { type: array }
    testRows: [{ name: Ada, age: 36 }, { name: Grace }]
  - id: grown
    type: assert
    that: "=row.age == null || row.age < 100"
    message: "too old"
  - { id: result, type: output, after: [grown], fields: { hello: "=row.name" } }
`;

const entry = (page: Page) => ({
  tab: (name: string) => page.getByRole('tab', { name }),
  text: page.getByRole('textbox', { name: 'Rows as JSON' }),
  run: page.getByRole('button', { name: /^Run \d/ }),
  problem: page.locator('#json-state'),
});

test.beforeEach(async ({ app }) => {
  await writeFile(join(app.dataDir, 'workflows', 'scoring.workflow.yaml'), scoring);
  await app.services.workflows.refresh();
});

test('buttons of a narrow page that take two lines end at its right edge', async ({ page, enter }) => {
  await enter('/workflows/quick/run');
  const run = page.getByRole('button', { name: /^Run 0 rows/ });
  await expect(run).toBeVisible();
  await resize(page, 420);
  const live = await page.getByRole('button', { name: 'Run options' }).boundingBox();
  const box = await page.getByRole('group', { name: 'Run', exact: true }).boundingBox();
  expect(box?.y).toBeGreaterThan(live?.y ?? Infinity);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(400);
});

test('rows written as JSON are run, and the run is shown', async ({ app, page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, run } = entry(page);
  await text.fill('[{"name":"Ada"},{"name":"عائشة 🦉"}]');
  await expect(run).toContainText('Run 2 rows');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Completed');
  const [newest] = await app.handlers['run.list']({ limit: 1 });
  expect(newest).toMatchObject({ workflowId: 'scoring', rows: 2, origin: 'app', status: 'completed' });
});

test('a text that is no JSON says where, and keeps the rows that were there', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, run, problem, tab } = entry(page);
  await text.fill('{"name":"Ada"}\n{"name":"Grace"}');
  await expect(run).toContainText('Run 2 rows');
  await text.fill('[{"name":"Ada"},\n {"name":oops}]');
  await expect(problem).toContainText('Line 2, column 10');
  await expect(run).toBeDisabled();
  await page.getByRole('button', { name: 'Go there' }).click();
  expect(await text.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(26);
  // Another view and back: the text that cannot be read is still there.
  await tab('Form').click();
  await expect(page.getByRole('heading', { name: 'Row 1 of 2' })).toBeVisible();
  await tab('JSON').click();
  await expect(text).toHaveValue('[{"name":"Ada"},\n {"name":oops}]');
  await page.getByRole('button', { name: 'Back to the rows' }).click();
  await expect(run).toBeEnabled();
});

test('a paste too long for an editor is read as rows, and looked at before it is taken', async ({
  page,
  enter,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter('/workflows/scoring/run?view=json');
  const { text, run, tab } = entry(page);
  await text.focus();
  await page.evaluate(() => {
    const rows = Array.from({ length: 400 }, (_, n) => `{"name":"a${n}","note":"${'x'.repeat(6_000)}"}`);
    return navigator.clipboard.writeText(`[${rows.join(',\n')}]`);
  });
  await page.keyboard.press('Control+v');
  await expect(tab('File')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('JSON · 400 rows')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'a0', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Use 400 rows' }).click();
  await expect(run).toContainText('Run 400 rows');
});

test('a form has the fields of the input node, and reads them by their types', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=form');
  const { run, tab, text } = entry(page);
  await expect(page.getByRole('heading', { name: 'New row 1' })).toBeVisible();
  await page.getByRole('textbox', { name: 'age' }).fill('36');
  await page.getByRole('textbox', { name: 'age' }).blur();
  await expect(page.getByRole('alert')).toContainText('name is missing (required)');
  await page.getByRole('textbox', { name: 'name' }).fill('Ada');
  await page.getByRole('textbox', { name: 'tags' }).fill('["a"]');
  await page.getByRole('textbox', { name: 'tags' }).blur();
  await expect(run).toContainText('Run 1 row');
  await tab('JSON').click();
  await expect(text).toHaveValue('[\n  {"name":"Ada","age":36,"tags":["a"]}\n]');
  expect(await barriers(page)).toEqual([]);
});

test('rows with a problem are run only after it was said what will come of them', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, run } = entry(page);
  await text.fill('[{"name":"Ada"},{"age":3}]');
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible();
  await page.getByRole('button', { name: '1 problem' }).click();
  await expect(page.getByRole('list', { name: 'Problems' })).toHaveText('name is missing (required) row 2');
  await run.click();
  const ask = page.getByRole('dialog', { name: /^Run with \d+ problems?\?$/ });
  await expect(ask).toContainText('name is missing (required): row 2');
  await page.keyboard.press('Escape');
  await expect(ask).toBeHidden();
  await run.click();
  await ask.getByRole('button', { name: 'Run 2 rows anyway' }).click();
  await expect(page).toHaveURL(/\/runs\//);
  expect((await app.handlers['run.list']({ limit: 1 }))[0]).toMatchObject({ rows: 2 });
});

test(
  'failed rows are fixed and run again under their numbers, linked to their run',
  { tag: '@main' },
  async ({ app, page, enter }) => {
    const runId = await app.run('scoring', [
      { name: 'Ada' },
      { name: 'Methuselah', age: 969 },
      { name: 'Bo' },
    ]);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).rowsFailed).toBe(1);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    await enter(`/workflows/scoring/run?from=${runId}&rows=failed`);
    const { text, tab, run } = entry(page);
    await expect(page.getByText('rows keep their numbers')).toBeVisible();
    await tab('JSON').click();
    await expect(text).toHaveValue('[\n  {"name":"Methuselah","age":969}\n]');
    await text.fill('[{"name":"Methuselah","age":96}]');
    await expect(run).toContainText('Run 1 row');
    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(/\/runs\//);
    const [newest] = await app.handlers['run.list']({ limit: 1 });
    expect(newest).toMatchObject({ rerunOf: runId, rows: 1 });
    const rerun = newest?.runId ?? '';
    await expect
      .poll(async () => (await app.handlers['run.show']({ runId: rerun })).status)
      .toBe('completed');
    expect(await app.handlers['run.trace']({ runId: rerun, row: 2 })).toMatchObject({ state: 'done' });
    expect(await app.handlers['run.show']({ runId: rerun })).toMatchObject({ rowsFailed: 0 });
  },
);

for (const [view, field] of [
  ['json', 'Rows as JSON'],
  ['form', 'name'],
] as const)
  test(`what is typed a moment before it is run is what runs: ${view}`, async ({ app, page, enter }) => {
    await enter(`/workflows/scoring/run?view=${view}`);
    const { tab, run, text } = entry(page);
    if (view === 'form') await tab('JSON').click();
    await text.fill('[{"name":"Ada"}]');
    await expect(run).toContainText('Run 1 row');
    if (view === 'form') await tab('Form').click();
    const typed = page.getByRole('textbox', { name: field });
    await typed.fill((await typed.inputValue()).replace('Ada', 'Grace'));
    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(/\/runs\//);
    const [newest] = await app.handlers['run.list']({ limit: 1 });
    const runId = newest?.runId ?? '';
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    expect(JSON.stringify(await app.call(outputPath('scoring', runId)))).toContain('Grace');
  });

test('a file is understood, looked at, and taken', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=file');
  const { tab, text, run } = entry(page);
  const choose = async (name: string, content: string | Buffer) =>
    page.getByLabel('File of rows').setInputFiles({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.isBuffer(content) ? content : Buffer.from(content),
    });
  await choose('people.csv', '\ufeffname;age;zip;ok\r\nAda;36;00123;true\r\n"Grace; H.";old;10001;false\r\n');
  await expect(page.getByText('CSV · 2 rows')).toBeVisible();
  await expect(page.getByText('age: 1 value is no number, such as old')).toBeVisible();
  await expect(page.getByLabel('Type of zip')).toHaveValue('string');
  await expect(page.getByLabel('Type of ok')).toHaveValue('boolean');
  await page.getByLabel('Type of ok').selectOption('string');
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use 2 rows' }).click();
  await tab('JSON').click();
  await expect(text).toHaveValue(
    '[\n  {"name":"Ada","age":36,"zip":"00123","ok":"true"},\n  {"name":"Grace; H.","age":"old","zip":"10001","ok":"false"}\n]',
  );
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible();
  await tab('File').click();
  await choose('more.ndjson', '{"name":"Bo"}\n');
  await page.getByRole('button', { name: 'Add below' }).click();
  await expect(run).toContainText('Run 3 rows');
});

test('a workbook of several sheets is read sheet by sheet, with the types of its cells', async ({
  page,
  enter,
}) => {
  await enter('/workflows/scoring/run?view=file');
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const head = `<row>${text('name')}${text('age')}${text('zip')}</row>`;
  const buffer = await smallWorkbook({
    sheets: [
      { name: 'Old', rows: `${head}<row>${text('Ada')}<c><v>36</v></c>${text('007')}</row>` },
      { name: 'New', rows: `${head}<row>${text('Bo')}<c><v>7</v></c>${text('008')}</row>`, state: 'hidden' },
    ],
  });
  const name = 'people.xlsx';
  await page.getByLabel('File of rows').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  const sheet = page.getByRole('combobox', { name: 'Sheet' });
  await expect(sheet).toHaveValue('Old');
  await expect(page.getByRole('cell', { name: 'Ada' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await sheet.selectOption('New (hidden)');
  await expect(page.getByRole('cell', { name: 'Bo' })).toBeVisible();
  await page.getByRole('button', { name: 'Use 1 row' }).click();
  const { tab, text: json } = entry(page);
  await tab('JSON').click();
  await expect(json).toHaveValue('[\n  {"name":"Bo","age":7,"zip":"008"}\n]');
});

test('a file that cannot be read says why, and what can be done', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=file');
  const choose = async (name: string, buffer: Buffer) =>
    page.getByLabel('File of rows').setInputFiles({ name, mimeType: 'text/plain', buffer });
  const alert = page.getByRole('alert');
  await choose('book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
  await expect(alert).toContainText('The workbook is damaged');
  await choose('broken.json', Buffer.from('[{"a":1},\n{"a":}]'));
  await expect(alert).toContainText('Line 2, column 6');
  await choose('long.csv', Buffer.from(`a,${'b'.repeat(1001)}\n1,2\n`));
  await expect(alert).toContainText('Line 1: the name of a column is longer than 1000 characters');
  await expect(alert).toContainText('Name the line that has the names with “Header in row”, or none.');
  await page.getByRole('combobox', { name: 'Header in row' }).selectOption('2');
  await expect(page.getByText('there are no rows in it', { exact: false })).toBeVisible();
  await choose(
    'old.csv',
    Buffer.from('name\n\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2 \u00ec\u00e8\u00f0\n', 'latin1'),
  );
  const guess = page.getByText('It looks like Windows-1251 (Cyrillic)');
  await expect(guess).toBeVisible();
  const encoding = page.getByRole('combobox', { name: 'Encoding' });
  await expect(encoding).toHaveValue('windows-1251');
  await expect(page.getByRole('cell', { name: 'Привет мир' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await encoding.selectOption('windows-1252');
  await expect(page.getByRole('cell', { name: 'Ïðèâåò ìèð' })).toBeVisible();
  await expect(guess).toHaveCount(0);
});

test('rows are kept as a set, used again, renamed, and removed with a way back', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=sets');
  const { tab, text, run } = entry(page);
  await page.getByRole('button', { name: 'Use the test rows' }).click();
  await expect(run).toContainText('Run 2 rows');
  await page.getByRole('button', { name: 'Save as row set' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('عملاء 🦉');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log')).toContainText('2 rows saved as “عملاء 🦉”');
  await tab('JSON').click();
  await text.fill('[]');
  await expect(run).toContainText('Run 0 rows');
  await tab('Row sets').click();
  await page.getByRole('button', { name: 'Use عملاء 🦉' }).click();
  await expect(run).toContainText('Run 2 rows');
  await tab('Row sets').click();
  await page.getByRole('button', { name: 'Rename عملاء 🦉' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('customers');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Use customers' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove customers' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Use customers' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
});

test('a set that is saved while the list of sets is looked at comes into it', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { tab, text, run } = entry(page);
  await text.fill('[{"name":"Ada"}]');
  await expect(run).toContainText('Run 1 row');
  await tab('Row sets').click();
  await page.getByRole('button', { name: 'Save as row set' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('one');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Use one' })).toBeVisible();
});

test('who leaves while rows load is not led back to them', async ({ page, enter }) => {
  let answer = (): void => undefined;
  const isBlocked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/*', async (route) => {
    if (route.request().url().includes('test-rows')) await isBlocked;
    await route.continue();
  });
  await enter('/workflows/scoring/run?view=sets');
  const request = page.waitForRequest(/test-rows/);
  await page.getByRole('button', { name: 'Use the test rows' }).click();
  await request;
  await page.getByRole('link', { name: /^Runs/ }).click();
  await expect(page).toHaveURL(/\/runs$/);
  answer();
  // By the page's own list: the browser may call a request failed that the page has read to its end.
  const answers = (): Promise<number> =>
    page.evaluate(() => {
      const all = performance.getEntriesByType('resource');
      return all.filter(({ name }) => name.endsWith('/test-rows')).length;
    });
  await expect.poll(answers).toBe(1);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Runs');
  expect(page.url()).toMatch(/\/runs$/);
});

test('the draft stays while other places are looked at', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, run } = entry(page);
  await text.fill('[{"name":"Ada"}]');
  await expect(run).toContainText('Run 1 row');
  await page.getByRole('navigation').getByRole('link', { name: /^Runs/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await page.goBack();
  await expect(run).toContainText('Run 1 row');
});

test(
  '100,000 rows of a file are taken, kept and run while the page goes on answering',
  { tag: '@measured' },
  async ({ app, page, enter }) => {
    test.setTimeout(60_000);
    await enter('/workflows/echo/run?view=file');
    const { run, tab } = entry(page);
    await page.evaluate(() => {
      const frames = globalThis as unknown as { longest: number };
      frames.longest = 0;
      let last = performance.now();
      const tick = (now: number) => {
        frames.longest = Math.max(frames.longest, now - last);
        last = now;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    const lines = Array.from({ length: 100_000 }, (_, n) => `person ${n},${n % 90},true`);
    const buffer = Buffer.from(`name,age,ok\n${lines.join('\n')}\n`);
    await page.getByLabel('File of rows').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByText('CSV · 100,000 rows')).toBeVisible({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Use 100,000 rows' }).click();
    await expect(run).toContainText('Run 100,000 rows');
    await tab('JSON').click();
    await expect(page.getByText('they are edited in the grid')).toBeVisible();
    await run.click();
    await expect(page).toHaveURL(/\/runs\//, { timeout: 30_000 });
    expect((await app.handlers['run.list']({ limit: 1 }))[0]).toMatchObject({ rows: 100_000 });
    const longest = await page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
    // No file is read in one go: that would be seconds, even on an idle machine.
    expect(longest).toBeLessThan(5_000);
  },
);

test('rows stay when the server goes away, and are run once it is back under the same page', async ({
  page,
}) => {
  const first = await startApp();
  await page.goto(await linkTo(first, '/workflows/echo/run?view=json'));
  const { text, run } = entry(page);
  await text.fill('[{"name":"Ada"},{"name":"Grace"}]');
  await expect(run).toContainText('Run 2 rows');
  await first.close();
  await run.click();
  await expect(page.getByRole('log')).toContainText('The server does not answer');
  await expect(text).toHaveValue('[{"name":"Ada"},{"name":"Grace"}]');
  const second = await startApp({ port: first.port });
  // A link pasted into the address of the open page lets it in again.
  const { url } = await second.handlers['server.link']({});
  // It is in once its live feed answers.
  const isIn = page.waitForResponse((answer) => answer.url().endsWith('/events') && answer.ok());
  await page.evaluate((hash) => {
    location.hash = hash;
  }, new URL(url).hash);
  await isIn;
  await expect(run).toContainText('Run 2 rows');
  await run.click();
  await expect(page).toHaveURL(/\/runs\//);
  expect((await second.handlers['run.list']({ limit: 1 }))[0]).toMatchObject({ rows: 2, origin: 'app' });
  await second.close();
});

test('a file dropped anywhere on the page is read', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=form');
  await expect(page.getByRole('heading', { name: 'New row 1' })).toBeVisible();
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['name\nAda\n'], 'dropped.csv', { type: 'text/csv' }));
    return data;
  });
  const form = page.getByRole('heading', { name: 'New row 1' });
  await form.dispatchEvent('dragover', { dataTransfer: transfer });
  await expect(page.getByText('Drop an Excel, CSV, TSV, JSON or NDJSON file')).toBeVisible();
  await form.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByText('CSV · 1 row')).toBeVisible();
});

test('a workflow that cannot run says so, and keeps the rows until it can', async ({ app, page, enter }) => {
  await enter('/workflows/broken/run?view=json');
  const { text, run } = entry(page);
  await text.fill('[{"n":1}]');
  await expect(run).toContainText('Run 1 row');
  await expect(run).toBeDisabled();
  await expect(page.getByText('The workflow’s file has errors.')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.goto(await linkTo(app, '/workflows/no-such/run'));
  await expect(page.getByRole('heading', { name: 'There is no workflow “no-such”' })).toBeVisible();
});

test('in Run options, Enter and Ctrl Enter run the rows, and Done only keeps the options', async ({
  page,
  enter,
}) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, run } = entry(page);
  const options = page.getByRole('button', { name: /^Run options/ });
  const dialog = page.getByRole('dialog', { name: 'Run options' });
  await options.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Run' })).toBeDisabled();
  await dialog.getByLabel('Which rows').selectOption('The first rows');
  // Without rows there is nothing to run: Enter keeps the options.
  await dialog.getByLabel('Number of rows').fill('1');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await text.fill('[{"name":"Ada"},{"name":"Grace"}]');
  await expect(run).toContainText('Run 1 of 2 rows');
  await options.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Run' })).toContainText('↵');
  await dialog.getByLabel('Number of rows').fill('2');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('There are only 2 rows')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run a sample' })).toBeDisabled();
  await options.press('Enter');
  await dialog.getByLabel('Number of rows').fill('1');
  await page.keyboard.press('Control+Enter');
  const progress = page.getByRole('region', { name: 'This run' });
  await expect(progress).toContainText('1 of 2 done');
  await page.goBack();
  await options.press('Enter');
  await dialog.getByLabel('Which rows').focus();
  await page.keyboard.press('Control+Enter');
  await expect(progress).toContainText('of 2 done');
});
