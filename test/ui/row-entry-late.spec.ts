// Row entry while something is under way: rows on their way, answers that come late or not at all, a text that cannot
// be read, and a page that is left in the middle of a word.
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { callOf, expect, holdAnswer, test } from './in-app.ts';

const scoring = `rowbench: 1
id: scoring
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true }
      age: { type: number }
    testRows: [{ name: Ada, age: 36 }, { name: Grace }]
  - { id: result, type: output, fields: { hello: "=row.name" } }
`;

const rowsOfRun = /\/runs\/[^/]+\/rows\?which/;
const savedSet = /\/row-sets\?name/;

const entry = (page: Page) => ({
  tab: (name: string) => page.getByRole('tab', { name }),
  text: page.getByRole('textbox', { name: 'Rows as JSON' }),
  grid: page.getByRole('grid'),
  run: page.getByRole('button', { name: /^Run \d/ }),
  save: page.getByRole('button', { name: 'Save as row set' }),
  problem: page.locator('#json-state'),
  dialog: page.getByRole('dialog'),
  name: page.getByRole('dialog').getByRole('textbox', { name: 'Name' }),
});

test.beforeEach(async ({ app }) => {
  await writeFile(join(app.dataDir, 'workflows', 'scoring.workflow.yaml'), scoring);
  await app.services.workflows.refresh();
});

async function type(page: Page, rows: string): Promise<void> {
  const { text, run } = entry(page);
  await text.fill(rows);
  await expect(run).toBeEnabled();
}

async function saveAs(page: Page, setName: string): Promise<void> {
  const { save, name } = entry(page);
  await save.click();
  await name.fill(setName);
  await page.keyboard.press('Enter');
}

/** Addresses of the runs that the page starts from now on. */
function runRequests(page: Page): readonly string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/workflows\/[^/]+\/runs/.test(request.url()))
      requests.push(request.url());
  });
  return requests;
}

test('rows that are on their way hold back those before them', async ({ app, page, enter }) => {
  await app.run('scoring', [{ name: 'Old run' }]);
  await enter('/workflows/scoring/run?view=json');
  const { tab, run, save } = entry(page);
  await type(page, '[{"name":"typed"},{"name":"typed"}]');
  await tab('Earlier run').click();
  const requests = runRequests(page);
  const rows = await holdAnswer(page, rowsOfRun);
  await page.getByRole('button', { name: /Edit all rows/ }).click();
  await rows.isBlocked;
  await page.keyboard.press('Control+Enter');
  await expect(run).toBeDisabled();
  await expect(run).toHaveAttribute('title', /^Loading rows of run …/);
  await expect(save).toBeDisabled();
  // Elsewhere and back, they are on their way still.
  await page.getByRole('navigation').getByRole('link', { name: /^Runs/ }).click();
  await page.goBack();
  await expect(run).toBeDisabled();
  rows.letGo();
  await expect(run).toHaveText(/Run 1 row/);
  await expect(save).toBeEnabled();
  expect(requests).toEqual([]);
});

test('with a file in sight the keys do not run the rows behind it', async ({ app, page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  await type(page, '[{"name":"old"}]');
  await entry(page).tab('File').click();
  await page.getByLabel('File of rows').setInputFiles({
    name: 'new.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,age\nNew,1\nNewer,2\n'),
  });
  const take = page.getByRole('button', { name: 'Replace the rows' });
  await expect(take).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await take.click();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/runs\//);
  expect((await app.handlers['run.list']({ limit: 5 })).map(({ rows }) => rows)).toEqual([2]);
});

test('a link to rows waits for others on their way, and stays while they cannot be had', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('scoring', [{ name: 'Old run' }]);
  await page.route(rowsOfRun, (route) => route.abort());
  let requests = 0;
  page.on('request', (request) => (requests += rowsOfRun.test(request.url()) ? 1 : 0));
  const link = `/workflows/scoring/run?from=${runId}&rows=all`;
  await enter(link);
  const { run, tab } = entry(page);
  await expect(page.getByRole('log')).toContainText('The server does not answer');
  await expect(run).toBeVisible();
  expect(page.url()).toContain(link);
  expect(requests).toBe(1);
  await page.unroute(rowsOfRun);
  await tab('Row sets').click();
  const testRows = await holdAnswer(page, /\/test-rows$/);
  await page.getByRole('button', { name: 'Use the test rows' }).click();
  await testRows.isBlocked;
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, link);
  testRows.letGo();
  await expect(page.getByText('rows keep their numbers')).toBeVisible();
  await expect(run).toHaveText(/Run 1 row/);
  expect(page.url()).not.toContain('from=');
});

test('a text that cannot be read is neither run nor saved as the previous rows', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, run, save } = entry(page);
  await type(page, '[{"name":"old"}]');
  await text.fill('[{"name":"new"},{"name":"newer"},]x');
  await expect(run).toBeDisabled();
  await expect(save).toBeDisabled();
  await expect(save).toHaveAttribute('title', 'The text under JSON is not valid yet.');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('row');
  const verbs = page.getByRole('option');
  await expect(verbs.filter({ hasText: 'Rows: Form' })).toBeVisible();
  await expect(verbs.filter({ hasText: 'Save as row set' })).toHaveCount(0);
});

test('a text and the rows that changed beside it wait for a choice', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { tab, text, run, grid, problem } = entry(page);
  await type(page, '[{"name":"old","age":1}]');
  await text.fill('[{"name":"old","age":1},]');
  await tab('Grid').click();
  await grid.focus();
  await page.keyboard.type('New');
  await page.keyboard.press('Enter');
  await tab('JSON').click();
  await expect(text).toHaveValue('[{"name":"old","age":1},]');
  await expect(problem).toContainText('The rows were changed elsewhere');
  // Mended, it still does not take their place by itself.
  await text.fill('[{"name":"text","age":1}]');
  await text.blur();
  await expect(run).toBeDisabled();
  await page.getByRole('button', { name: 'Back to the rows' }).click();
  await expect(text).toHaveValue('[\n  {"name":"New","age":1}\n]');
  await expect(run).toBeEnabled();
  // So too where all rows are taken from elsewhere.
  await text.fill('[{"name":"text"},]');
  await tab('Row sets').click();
  await page.getByRole('button', { name: 'Use the test rows' }).click();
  await expect(run).toHaveText(/Run 2 rows/);
  await expect(run).toBeDisabled();
  await page.getByRole('button', { name: 'Look at the text' }).click();
  await expect(text).toHaveValue('[{"name":"text"},]');
  await text.fill('[{"name":"text"}]');
  await page.getByRole('button', { name: 'Use this text' }).click();
  await expect(run).toHaveText(/Run 1 row/);
  await expect(run).toBeEnabled();
  await tab('Grid').click();
  await expect(page.getByRole('gridcell', { name: 'text' })).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Control+z');
  await expect(run).toHaveText(/Run 2 rows/);
});

/** Leaves the page as its reload button does, and stays when the browser asks. */
async function leaveAndStay(page: Page): Promise<void> {
  const question = page.waitForEvent('dialog', { timeout: 10_000 });
  await page.evaluate(() => {
    setTimeout(() => location.reload());
  });
  const dialog = await question;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
}

for (const view of ['form', 'json', 'grid'] as const)
  test(`a page that is left in the middle of a word asks first: ${view}`, async ({ page, enter }) => {
    await enter(`/workflows/scoring/run?view=${view}`);
    const { text, grid, run } = entry(page);
    const field = view === 'json' ? text : page.getByRole('textbox', { name: 'name' });
    if (view === 'grid') await expect(grid).toBeFocused();
    else await field.selectText();
    await page.keyboard.type(view === 'json' ? '{"name":"Ada"}' : 'Ada');
    await leaveAndStay(page);
    await expect(run).toHaveText(/Run 1 row/);
    if (view === 'grid') return;
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(/Ada/);
  });

test('the browser warns before the user leaves a page with invalid JSON text', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { text, problem, tab } = entry(page);
  await text.selectText();
  await page.keyboard.type('[{"name":"Ada"},');
  await expect(problem.getByRole('alert')).toBeVisible();
  await tab('Form').click();
  await leaveAndStay(page);
});

test('the browser warns about rows that were typed while others were being saved', async ({
  page,
  enter,
}) => {
  await enter('/workflows/scoring/run?view=json');
  const { run } = entry(page);
  await type(page, '[{"name":"old"}]');
  const blocked = await holdAnswer(page, savedSet);
  await saveAs(page, 'one');
  await blocked.isBlocked;
  await page.keyboard.press('Escape');
  await type(page, '[{"name":"old"},{"name":"newer"}]');
  await expect(run).toHaveText(/Run 2 rows/);
  await blocked.free();
  await expect(page.getByText('saved as “one”')).toBeVisible();
  await leaveAndStay(page);
});

test('a set that is saved late closes no other dialog', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { save, name } = entry(page);
  await type(page, '[{"name":"old"}]');
  const blocked = await holdAnswer(page, savedSet);
  await saveAs(page, 'one');
  await blocked.isBlocked;
  await page.keyboard.press('Escape');
  await save.click();
  await name.fill('two');
  await blocked.free();
  await expect(page.getByText('saved as “one”')).toBeVisible();
  await expect(name).toHaveValue('two');
});

test('a set is shown as removed, and as back, once it is', async ({ page, enter }) => {
  await enter('/workflows/scoring/run?view=json');
  const { tab } = entry(page);
  await type(page, '[{"name":"old"}]');
  await saveAs(page, 'mine');
  await tab('Row sets').click();
  const removed = page.getByText('Removed', { exact: true });
  const problem = page.getByText('The server does not answer');
  await page.route(callOf('rows.remove'), (route) => route.abort());
  await page.getByRole('button', { name: 'Remove mine' }).click();
  await expect(problem).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use mine' })).toBeVisible();
  await page.unroute(callOf('rows.remove'));
  await page.locator('.toast').filter({ has: problem }).getByRole('button', { name: 'Dismiss' }).click();
  await expect(problem).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove mine' }).click();
  await expect(removed).toBeVisible();
  await page.route(callOf('rows.restore'), (route) => route.abort());
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(problem).toBeVisible();
  await expect(removed).toBeVisible();
});
