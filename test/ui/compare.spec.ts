// Two runs side by side: which rows differ, and why. The expected rows are computed here, from the rows and both workflows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { LeapingClock, overADay } from '../builders/leaping-clock.ts';
import {
  barriers,
  barriersInBothThemes,
  callOf,
  drawn,
  expect,
  linkTo,
  startApp,
  structureProblems,
  test as base,
} from './in-app.ts';

const rowCount = 1_200;
const scoring = (points: number): string => `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size !== 13", message: "no size of 13" }
  - { id: grade, type: set, after: [check], values: { points: "=row.size > 80 ? row.size * ${points} : row.size" } }
  - id: result
    type: output
    fields:
      score: "=nodes.grade.points"
      label: "=row.name + ' has ' + nodes.grade.points + ' points in the last of the quarters of this year'"
      size: "=row.size"
`;

const row = (index: number) => ({ name: `Customer ${index + 1}`, size: (index * 37) % 101 });
const rows = Array.from({ length: rowCount }, (_, index) => row(index));
/** Numbers of the rows that the constant touches. */
const touched = rows.flatMap(({ size }, index) => (size > 80 ? [index + 1] : []));
const failed = rows.filter(({ size }) => size === 13).length;

type Compared = { readonly first: string; readonly second: string };

const test = base.extend<{ readonly compared: Compared }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { scoring: scoring(2) } });
    await use(app);
    await app.close();
  },
  /** Two runs of the same rows, between which one constant of the workflow was changed. */
  compared: async ({ app }, use) => {
    const done = async (): Promise<string> => {
      const runId = await app.run('scoring', rows);
      const status = async () => (await app.services.runs.get(runId)).run.status;
      await expect.poll(status, { timeout: 60_000 }).toBe('completed');
      return runId;
    };
    const first = await done();
    const hash = async () => (await app.services.workflows.find('scoring'))?.hash;
    const before = await hash();
    await writeFile(join(app.dataDir, 'workflows', 'scoring.workflow.yaml'), scoring(3));
    await expect.poll(hash).not.toBe(before);
    await use({ first, second: await done() });
  },
});

const screenOf = (page: Page) => ({
  table: page.getByRole('grid', { name: 'Compared rows' }),
  result: (name: string) => page.getByRole('group', { name: 'Rows by result' }).getByRole('button', { name }),
  field: (name: string) => page.getByRole('group', { name: 'Changed fields' }).getByRole('button', { name }),
  panel: page.getByRole('complementary', { name: /^Row / }),
});

/** All numbers of rows that the table shows, by scrolling through it with the keys. */
async function listedRows(page: Page): Promise<readonly number[]> {
  const { table } = screenOf(page);
  await table.focus();
  await page.keyboard.press('Home');
  const found = new Set<number>();
  const total = Number(await table.getAttribute('aria-rowcount')) - 1;
  for (let at = 0; found.size < total && at <= total + 15; at += 15) {
    await expect(table.locator('.waiting')).toHaveCount(0);
    await drawn(page);
    for (const text of await table.locator('[role=gridcell].number').allTextContents())
      if (/\d/.test(text)) found.add(Number(text.replaceAll(',', '')));
    await page.keyboard.press('PageDown');
  }
  return [...found].sort((one, other) => one - other);
}

test('after a change of one constant, exactly the touched rows are listed, by keyboard alone', async ({
  compared,
  enter,
  page,
}) => {
  await enter('/runs');
  const list = page.getByRole('grid', { name: 'Runs' });
  await expect(page.getByRole('row').filter({ hasText: 'scoring' })).toHaveCount(2);
  await list.focus();
  for (const key of ['x', 'j', 'x', 'd']) await page.keyboard.press(key);
  await expect(page).toHaveURL(new RegExp(`/compare/${compared.first}/${compared.second}$`));
  const { table, result, field, panel } = screenOf(page);
  await expect(result('Changed')).toContainText(touched.length.toLocaleString('en-US'));
  await expect(result('Failed in both')).toContainText(String(failed));
  await expect(result('Same')).toContainText((rowCount - touched.length - failed).toLocaleString('en-US'));
  await expect(table).toBeFocused();
  await expect(result('All in both')).toContainText(rowCount.toLocaleString('en-US'));
  await expect(table).toHaveAttribute('aria-rowcount', String(rowCount + 1));
  await result('Changed').focus();
  await page.keyboard.press('Enter');
  await expect(table).toHaveAttribute('aria-rowcount', String(touched.length + 1));
  expect(await listedRows(page)).toEqual(touched);

  await page.keyboard.press('Home');
  await expect(table).toContainText(`Customer ${touched[0]}`);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const second = touched[1] ?? 0;
  const size = row(second - 1).size;
  await expect(panel).toContainText(`Row ${second}`);
  await expect(panel.getByRole('region', { name: 'Changes in label' })).toContainText(
    `Customer ${second} has ${2 * size}${3 * size} points`,
  );
  await expect(panel).toContainText(`+${size}`);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(table).toBeFocused();

  await field('label').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/field=label/);
  await expect(table).toHaveAttribute('aria-rowcount', String(touched.length + 1));
  await page.reload();
  await expect(field('label')).toHaveAttribute('aria-pressed', 'true');
  await expect(table).toHaveAttribute('aria-rowcount', String(touched.length + 1));
  await page.keyboard.press('Escape');
  await expect(field('label')).toHaveAttribute('aria-pressed', 'false');
});

test('no tab of a comparison has a barrier', async ({ compared, enter, page }) => {
  await enter(`/compare/${compared.first}/${compared.second}`);
  const { table, panel } = screenOf(page);
  await expect(table.getByRole('row')).not.toHaveCount(1);
  await expect(table.locator('.waiting')).toHaveCount(0);
  await table.press('Enter');
  await expect(panel.getByRole('heading', { name: 'Unchanged fields' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await structureProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Nodes' }).click();
  await expect(page.getByRole('rowheader', { name: 'grade' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Workflow' }).click();
  await expect(page.getByRole('region', { name: 'Changes in the workflow' })).toContainText('* 3');
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await expect(page.getByRole('combobox', { name: 'How score is compared' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change the run after' }).click();
  await expect(page.getByRole('option')).toHaveCount(2);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 700, height: 800 });
  await page.getByRole('tab', { name: 'Rows' }).click();
  await expect(table).toBeVisible();
  expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole('button', { name: 'Failed in both' }).click();
  await expect(table).toContainText('no size of 13');
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('a run is compared with the last pinned one of its workflow, from its menu by keyboard', async ({
  app,
  compared,
  enter,
  page,
}) => {
  await app.handlers['run.label']({ runId: compared.first, changes: { isPinned: true } });
  await enter(`/runs/${compared.second}`);
  const menu = page.getByRole('button', { name: 'Compare with' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /pinned/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/compare/${compared.first}/${compared.second}`));
  await expect(screenOf(page).result('Changed')).toContainText(touched.length.toLocaleString('en-US'));
});

test('a fix is compared with the rows before it; rows get a label, columns of the input, and better and worse', async ({
  app,
  compared,
  enter,
  page,
}) => {
  const broken = rows.flatMap(({ size }, index) => (size === 13 ? [index + 1] : []));
  const fixed = broken.slice(0, -1);
  const lines = broken.map((number) =>
    JSON.stringify({ ...row(number - 1), ...(fixed.includes(number) ? { size: 90 } : {}) }),
  );
  const { run } = await app.services.runs.rerunWith(
    compared.second,
    {},
    { what: { lines: `${lines.join('\n')}\n`, numbers: broken }, origin: { kind: 'app' } },
  );
  const status = async () => (await app.services.runs.get(run.runId)).run.status;
  await expect.poll(status, { timeout: 60_000 }).toBe('completed');
  await enter(`/runs/${run.runId}`);
  await page.getByRole('button', { name: 'Compare with' }).click();
  await page.getByRole('menuitem', { name: /before this attempt.*in common/ }).click();
  await expect(page).toHaveURL(new RegExp(`/compare/${run.runId}~1/${run.runId}$`));
  const { table, result, panel } = screenOf(page);
  await expect(result('All in both')).toContainText(String(broken.length));
  await expect(result('Fixed')).toContainText(String(fixed.length));
  await expect(result('Failed in both')).toContainText('1');
  await expect(
    page.getByText(`${(rowCount - broken.length).toLocaleString('en-US')} only before`),
  ).toBeVisible();
  await expect(page.getByLabel('The runs')).toContainText('as it was before attempt 2');
  await expect(page.getByLabel('The runs')).toContainText('attempt 2 of 2 · fixed rows');
  await expect(table.getByRole('row')).toHaveCount(broken.length + 1);
  for (const [index, number] of [...fixed, broken.at(-1) ?? 0].entries())
    await expect(table.getByRole('row').nth(index + 1)).toContainText(`Customer ${number}`);
  await page.getByRole('button', { name: 'Show the rows only before' }).click();
  await expect(table).toHaveAttribute('aria-rowcount', String(rowCount - broken.length + 1));
  await page.keyboard.press('Escape');
  await table.press('Enter');
  await expect(panel).toContainText('Failed before at');
  await expect(panel.getByRole('button', { name: 'Save as test' })).toBeVisible();

  await page.goto(new URL(`/compare/${compared.first}/${compared.second}`, page.url()).href);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page
    .getByRole('combobox', { name: 'Which numbers of score are better' })
    .selectOption('Higher is better');
  await page.getByRole('checkbox', { name: 'size' }).check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(result('Better')).toContainText(String(touched.length));
  await expect(result('Worse')).toContainText('0');
  await expect(table.getByRole('columnheader', { name: 'size' })).toBeVisible();
  await result('Better').click();
  await expect(table).toHaveAttribute('aria-rowcount', String(touched.length + 1));
  await expect(table.getByRole('row').nth(1)).toContainText('better');
  await page.reload();
  await expect(result('Better')).toHaveAttribute('aria-pressed', 'true');
  // Another comparison of the workflow has the directions of the last one.
  await page.goto(new URL(`/compare/${compared.second}/${compared.first}`, page.url()).href);
  await expect(result('Worse')).toContainText(String(touched.length));
  await expect(page).toHaveURL(/higher=score/);
});

test('a run that does not exist is named as such, and a run compared with itself has no differences', async ({
  compared,
  enter,
  page,
}) => {
  await enter(`/compare/${compared.first}/${compared.first}`);
  await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Matched by row number' })).toBeVisible();
  await page.goto(
    new URL(`/compare/${compared.first}/0197a000-0000-7000-8000-000000000000`, page.url()).href,
  );
  await expect(page.getByRole('heading', { name: 'There is no such run' })).toBeVisible();
  await expect(page.getByLabel('The runs')).toContainText('There is no such run');
});

test('a run that is removed under an open comparison is said to be removed', async ({ page }) => {
  const clock = new LeapingClock();
  const settings = { retention: { days: 1, gigabytes: 5 } };
  const app = await startApp({ workflows: { scoring: scoring(2) }, clock, settings });
  try {
    const runId = await app.run('scoring', [row(0)]);
    await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
    await page.goto(await linkTo(app, `/compare/${runId}/${runId}`));
    await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
    clock.leap(overADay);
    await app.run('scoring', [row(1)]);
    await expect(page.getByLabel('The runs').getByText('This run has been removed')).toHaveCount(2);
    const removed = page.getByRole('heading', { name: 'This run has been removed' });
    await page.getByRole('tab', { name: 'Nodes' }).press('Enter');
    await expect(removed).toBeVisible();
    await page.getByRole('tab', { name: 'Rows' }).press('Enter');
    await expect(removed).toHaveCount(0);
    await page.keyboard.press('r');
    await expect(removed).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'There is no such run' })).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('There is no run');
  } finally {
    await app.close();
  }
});

test('a field that is ignored no longer differs, after a reload too', async ({ compared, enter, page }) => {
  await enter(`/compare/${compared.first}/${compared.second}?ignore=label`);
  const { field } = screenOf(page);
  await expect(field('score')).toBeVisible();
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('combobox', { name: 'How score is compared' }).selectOption('Tolerance');
  await page.getByRole('textbox', { name: 'Tolerance of score' }).fill('1000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
  await expect(page).toHaveURL(/ignore=label.*tolerance=score/);
});

test('a long comparison shows progress, is stopped, and goes on when it is asked for again', async ({
  compared,
  enter,
  page,
}) => {
  let isReading = true;
  await page.route(callOf('run.comparePage'), (route) =>
    isReading
      ? route.fulfill({ json: { data: { isReady: false, rowsRead: 500_000, rows: 2_000_000 } } })
      : route.continue(),
  );
  await enter(`/compare/${compared.first}/${compared.second}`);
  await expect(page.getByText('Comparing, 25 %')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('heading', { name: 'The comparison was stopped' })).toBeVisible();
  isReading = false;
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(screenOf(page).result('Changed')).toContainText(touched.length.toLocaleString('en-US'));
});

test('the differences are saved as CSV, all or those shown, and copied as Markdown', async ({
  compared,
  context,
  enter,
  page,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await enter(`/compare/${compared.first}/${compared.second}?field=label`);
  const saved = async (item: string): Promise<readonly string[]> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^differences-\w{8}-\w{8}\.csv$/);
    return (await readFile(await download.path(), 'utf8')).trim().split('\n');
  };
  const all = await saved('All differences as CSV');
  // A header, then two changed fields of each touched row, and one line for each row that failed twice.
  expect(all.length - 1 - 2 * touched.length).toBeGreaterThanOrEqual(0);
  const shown = await saved('Shown rows as CSV');
  expect(shown.length).toBe(1 + 2 * touched.length);
  expect(all).toEqual(expect.arrayContaining([...shown]));
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Copy summary as Markdown' }).click();
  await expect(page.getByRole('log')).toContainText('Summary copied as Markdown');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${touched.length} changed`);
});

test('rows that end while a comparison is open come in with Refresh', async ({ page }) => {
  const slow = scoring(2)
    .replace('id: scoring', 'id: slow\nconcurrency: 1')
    .replace(
      '  - { id: check, type: assert,',
      '  - { id: wait, type: delay, for: "=row.wait" }\n  - { id: check, type: assert, after: [wait],',
    );
  const app = await startApp({ workflows: { slow } });
  try {
    const some = Array.from({ length: 20 }, (_, index) => ({ ...row(index), size: 1 }));
    const first = await app.run(
      'slow',
      some.map((each) => ({ ...each, wait: '1ms' })),
    );
    const second = await app.run(
      'slow',
      some.map((each) => ({ ...each, wait: '400ms' })),
    );
    const shown = (runId: string) => app.handlers['run.show']({ runId });
    await expect.poll(async () => (await shown(first)).status, { timeout: 20_000 }).toBe('completed');
    await expect.poll(async () => (await shown(second)).rowsDone, { timeout: 20_000 }).toBeGreaterThan(0);
    await app.handlers['run.pause']({ runId: second });
    await expect.poll(async () => (await shown(second)).status).toBe('paused');
    await page.goto(await linkTo(app, `/compare/${first}/${second}`));
    const { result } = screenOf(page);
    await expect(result('Not compared')).toBeVisible();
    await app.handlers['run.resume']({ runId: second });
    await expect(page.getByText(/^\d+ rows? ended since/)).toBeVisible({ timeout: 20_000 });
    await expect.poll(async () => (await shown(second)).status, { timeout: 20_000 }).toBe('completed');
    await expect(result('Not compared')).toBeVisible();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(result('Same')).toContainText('20');
  } finally {
    await app.close();
  }
});
