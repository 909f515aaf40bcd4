import type { Page } from '@playwright/test';
import { damageResults } from '../builders/damaged-results.ts';
import { LeapingClock, overADay } from '../builders/leaping-clock.ts';
import {
  barriers,
  barriersInBothThemes,
  callOf,
  expect,
  linkTo,
  resize,
  startApp,
  structureProblems,
  test as base,
} from './in-app.ts';
import type { TestApp } from '../builders/start-test-app.ts';

const grades = `rowbench: 1
id: grades
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: check
    type: code
    code: |
      if (row.n % 4 === 0) throw new Error('keine Note für ' + row.name);
      return row.n * 2;
  - { id: result, type: output, fields: { name: "=row.name", points: "=nodes.check", tags: "=row.tags" } }
`;

const names = ['Ada Lovelace', 'محمد بن موسى', '李白', '🦉 Owl', '=SUM(A1)'];
const pupils = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ n: at + 1, name: names[at % 5], tags: ['a', at] }));

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({
      workflows: {
        grades,
        slow: grades
          .replace('id: grades', 'id: slow')
          .replace('type: code', 'type: delay\n    for: 1h\n  - id: code\n    type: code'),
        failing: grades.replace('id: grades', 'id: failing').replace('onRowError: skip', 'onRowError: fail'),
        causes: `rowbench: 1
id: causes
name: Why rows fail
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: early, type: fail, when: "=row.n === 1", message: Keine Note }
  - { id: late, type: fail, when: "=row.n === 2", after: [early], message: viel zu spät }
  - { id: result, type: output, after: [late], fields: { n: "=row.n" } }
`,
        echo: `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { text: "=row.text" } }
`,
      },
    });
    await use(app);
    await app.close();
  },
});

const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true });

test('the rows of a run are a table, and each opens whole beside it', async ({ app, page, enter }) => {
  const runId = await app.run('grades', pupils(1_000));
  await enter(`/runs/${runId}`);
  const table = grid(page, 'Rows');
  await expect(page.getByText('1,000 rows', { exact: true })).toBeVisible();
  await expect(table.getByRole('row').nth(3)).toContainText('محمد بن موسى');
  await expect(table.getByRole('row').nth(5)).toContainText('Failed');
  await expect(table.getByRole('row').nth(5)).toContainText('keine Note für 🦉 Owl');
  await table.focus();
  await page.keyboard.press('End');
  await expect(table.locator('[aria-rowindex="1002"]')).toContainText('1,000');
  expect(await table.getByRole('row').count()).toBeLessThan(60);
  await page.keyboard.press('k');
  for (let column = 0; column < 3; column += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Row 999' });
  await expect(panel.getByRole('heading', { name: 'tags output' })).toBeVisible();
  await expect(panel).toContainText('1998');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await expect(table).toBeFocused();
});

test('a search goes through all rows on the server and says what it has found', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('grades', pupils(3_000));
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
  await enter(`/runs/${runId}/rows`);
  await expect(grid(page, 'Rows')).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type(',2750]');
  await expect(page.getByText('1 of 3,000 rows')).toBeVisible();
  await expect(grid(page, 'Rows').getByRole('row').nth(2)).toContainText('2,751');
  await page.keyboard.press('Escape');
  await expect(page.getByText('3,000 rows', { exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search in all rows' }).fill('nobody');
  await expect(page.getByRole('heading', { name: 'No row contains “nobody”' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all 3,000 rows' }).click();
  await expect(grid(page, 'Rows').getByRole('row').nth(2)).toContainText('Ada Lovelace');
});

test('the palette exports the outputs of a run from any tab', async ({ app, page, enter }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const runId = await app.run('grades', pupils(3));
  await enter(`/runs/${runId}/matrix`);
  await expect(grid(page, 'Rows')).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('export csv');
  await page.keyboard.press('Enter');
  // Enter does nothing before the server has said what there is to export.
  await expect(page.getByRole('button', { name: 'Export 3 rows' })).toBeEnabled();
  await page.getByRole('checkbox', { name: 'Input columns' }).focus();
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await downloading).suggestedFilename()).toMatch(/^grades-\w{8}\.xlsx$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('import');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Import workflows' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/workflows$/);
});

test('Escape ends a search before it leaves the run', async ({ app, page, enter }) => {
  const runId = await app.run('grades', pupils(3));
  await enter(`/runs/${runId}/rows`);
  await expect(grid(page, 'Rows')).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('李');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 3 rows')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('3 rows', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}$`));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/runs$/);
});

test('a browser that lets pages write files gets them piece by piece', async ({ app, page, enter }) => {
  // A real file of the page's own storage in the place of the one that a person would choose.
  await page.addInitScript(() => {
    const pick = async () => (await navigator.storage.getDirectory()).getFileHandle('x', { create: true });
    Object.assign(window, { showSaveFilePicker: pick });
  });
  const runId = await app.run('grades', pupils(2_000));
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
  await enter(`/runs/${runId}/rows`);
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByLabel('Format').selectOption('NDJSON');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('log')).toContainText('Saved as grades-');
  const lines = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('x');
    return (await (await handle.getFile()).text()).split('\n').length;
  });
  expect(lines).toBe(2_001);
});

test('a value of a megabyte is cut in the table and whole on demand', async ({ app, page, enter }) => {
  const runId = await app.run('echo', [{ text: 'x'.repeat(1_000_000) }, { text: 'short' }]);
  await enter(`/runs/${runId}/rows`);
  const cell = page.getByRole('gridcell', { name: /1,000,000 characters/ }).last();
  await cell.click();
  const output = page.getByRole('complementary').locator('section').filter({ hasText: 'output' }).first();
  await output.getByRole('button', { name: 'Load it whole' }).click();
  await page.getByRole('button', { name: 'Show all 1,000,000 characters' }).click();
  await expect
    .poll(() => page.getByRole('complementary').evaluate((panel) => panel.textContent.length))
    .toBeGreaterThan(1_000_000);
});

test('causes are searched, and a run is named by its workflow and leads to it', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('causes', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await enter(`/runs/${runId}/why`);
  const cause = (text: string) => page.getByRole('button', { name: text });
  // The field to search in is there once there is something to choose from.
  for (const text of ['Keine Note', 'viel zu spät']) await expect(cause(text)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('ZU SPÄT');
  await expect(cause('viel zu spät')).toBeVisible();
  await expect(cause('Keine Note')).toBeHidden();
  await page.keyboard.type('x');
  await expect(page.getByText('No message contains “ZU SPÄTx”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox', { name: 'Search the messages' })).toHaveValue('');
  await page.getByRole('searchbox').blur();
  await page.keyboard.press('j');
  await expect(cause('Keine Note')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(cause('viel zu spät')).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('k');
  await expect(cause('Keine Note')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Why rows fail', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Details of the run' }).click();
  await page.getByRole('link', { name: 'causes' }).click();
  await expect(page).toHaveURL(/\/workflows\/causes$/);
});

test('a narrow page counts the rows in its second line, and has the facts one click away', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('grades', pupils(8));
  await resize(page, 480);
  await enter(`/runs/${runId}`);
  await expect(page.getByRole('button', { name: '6/8' })).toBeVisible();
  expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole('button', { name: 'Details of the run' }).click();
  await expect(page.getByRole('dialog', { name: 'Details of the run' })).toContainText(runId);
  expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true);
  expect(await barriers(page)).toEqual([]);
});

test('a run that failed says why, where in the file, and leads to its row and to its repetition', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('failing', pupils(6));
  await enter(`/runs/${runId}`);
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Node "check" failed on row 4');
  await page.getByRole('tab', { name: 'Why it failed' }).click();
  await expect(page).toHaveURL(/\/why$/);
  await expect(page.getByText('line 9 of the file')).toBeVisible();
  const lines = page.getByRole('region', { name: 'The lines of check' });
  await expect(lines.locator('.selected')).toContainText('throw new Error');
  await expect(page.getByRole('link', { name: 'Row 4' })).toHaveAttribute(
    'href',
    `/runs/${runId}?row=4&node=check#show=nodes`,
  );
  await page.getByRole('tabpanel').getByRole('button', { name: 'Fix 3 rows…' }).click();
  // The address names the rows only until they are there.
  await expect(page).toHaveURL(/\/workflows\/failing\/run/);
  await expect(page.getByText('Failed rows of run')).toBeVisible();
});

test('a cause names the field that all its rows miss, and the action that fixes it comes first', async ({
  page,
}) => {
  const app = await startApp({
    workflows: {
      contacts: `rowbench: 1
id: contacts
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true }
      email: { type: string, required: true }
  - id: domain
    type: set
    values:
      host: "=row.email.split('@')[1]"
      size: "=row.company.size"
  - { id: result, type: output, fields: { host: "=nodes.domain.host" } }
`,
    },
  });
  const primary = page.locator('.verbs .primary');
  const cause = page.getByRole('tabpanel').getByRole('listitem');
  try {
    const missing = await app.run('contacts', [{ name: 'a' }, { name: 'b' }, { email: 'c@c' }]);
    await page.goto(await linkTo(app, `/runs/${missing}/why`));
    await expect(cause.first()).toContainText('field "email" is missing (required)');
    await expect(cause.last()).toContainText('field "name" is missing (required)');
    await expect(cause.first().locator('.selected')).toContainText('email: { type: string');
    await expect(primary).toHaveText('Fix 3 rows…');

    const typo = await app.run(
      'contacts',
      [1, 2, 3].map((n) => ({ name: `n${n}`, email: `${n}@a` })),
    );
    await page.goto(await linkTo(app, `/runs/${typo}/why`));
    await expect(cause).toContainText("(reading 'size')");
    await expect(primary).toHaveText('Open at line 14');
    expect(await barriers(page)).toEqual([]);
    await primary.press('Enter');
    await expect(page).toHaveURL(/\/workflows\/contacts\?node=domain&line=14$/);
    const file = page.getByRole('listbox', { name: /^Workflow file/ });
    await expect(file.getByRole('option', { selected: true })).toContainText('row.company.size');
  } finally {
    await app.close();
  }
});

test('failed rows of a completed run are gathered by cause', async ({ app, page, enter }) => {
  const runId = await app.run('grades', pupils(100));
  await enter(`/runs/${runId}/why`);
  const first = page.getByRole('tabpanel').getByRole('listitem').first();
  await expect(first).toContainText('check');
  await expect(page.getByRole('heading', { name: '25 rows failed for 5 causes' })).toBeVisible();
  expect(await page.getByRole('tabpanel').getByRole('listitem').count()).toBeLessThanOrEqual(5);
});

test('a run is watched to its end: rows are there at once, the pause says what it waits for', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('slow', pupils(3));
  await enter(`/runs/${runId}/rows`);
  await expect(page.getByRole('row').filter({ hasText: 'Ada Lovelace' })).toContainText(/Waiting|Running/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Resume continues where it stopped')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Cancelled');
  await page.getByRole('button', { name: 'Other steps' }).click();
  await page.getByRole('menuitem', { name: 'Run all 3 rows again' }).click();
  await page.getByRole('link', { name: /^Rerun of/ }).click();
  await page.getByRole('button', { name: 'Details of the run' }).click();
  await expect(page.getByText('Rerun as')).toBeVisible();
});

test('rows after the one that failed a run are not run, and each says so', async ({ app, page, enter }) => {
  const runId = await app.run('failing', pupils(6));
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('failed');
  await enter(`/runs/${runId}/rows`);
  const table = grid(page, 'Rows');
  await expect(table.getByRole('row').nth(5)).toContainText('Failed');
  for (const row of [6, 7]) await expect(table.getByRole('row').nth(row)).toContainText('Not run');
  await table.focus();
  for (const key of ['End', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByRole('complementary', { name: 'Row 6' })).toContainText(
    'The run ended before it came to this row',
  );
  await page.getByRole('button', { name: 'Nodes', exact: true }).click();
  await expect(table.getByRole('gridcell', { name: 'check: not run' }).first()).toBeVisible();
});

test.describe('damage', () => {
  /** A completed run, parts of whose results were changed on the disk. */
  async function damagedRun(app: TestApp, parts: readonly ('states' | 'traces')[]): Promise<string> {
    const runId = await app.run('grades', pupils(8));
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    for (const part of parts) await damageResults(app.dataDir, runId, part);
    return runId;
  }

  test('a run whose traces are damaged shows the rest of it, and says what cannot be read', async ({
    app,
    page,
    enter,
  }) => {
    const runId = await damagedRun(app, ['traces']);
    await enter(`/runs/${runId}/rows`);
    await expect(page.getByRole('region', { name: 'This run' })).toContainText(
      'Stored data cannot be read: damage',
    );
    const table = grid(page, 'Rows');
    await expect(table.getByRole('row').nth(2)).toContainText('Ada Lovelace');
    await expect(table.getByRole('row').nth(5)).toContainText('Failed');
    await page.getByRole('tab', { name: 'Why it failed' }).click();
    await expect(page.getByText('damage at the trace').last()).toBeVisible();
  });

  test('a run whose row states are damaged shows its outputs, and says what cannot be read', async ({
    app,
    page,
    enter,
  }) => {
    const runId = await damagedRun(app, ['states', 'traces']);
    await enter(`/runs/${runId}/rows`);
    await expect(page.getByText('damage at the states of rows 1 to 8')).toBeVisible();
    const table = grid(page, 'Rows');
    await expect(table.getByRole('row').nth(2)).toContainText('Ada Lovelace');
    await expect(table.getByRole('row').nth(5)).toContainText('Not known');
    await table.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Output of row 1' })).toContainText('points');
  });
});

test('a run is repeated from the node that failed, and linked to the one before', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('grades', pupils(8));
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
  await enter(`/runs/${runId}/rows`);
  await page.getByRole('button', { name: 'Other steps' }).click();
  await page.getByRole('menuitem', { name: /^Rerun from a node/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Rerun from a node' });
  await expect(dialog.getByLabel('First node to run')).toHaveValue('check');
  expect(await barriers(page)).toEqual([]);
  await dialog.getByLabel('Rows').selectOption('Failed rows only');
  await dialog.getByRole('button', { name: 'Rerun 2 rows' }).click();
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('All rows failed');
  await page.getByRole('button', { name: 'Details of the run' }).click();
  await expect(page.getByRole('dialog', { name: 'Details of the run' })).toContainText('From node check');
});

test('rows that end while they are looked at come into the table', async ({ app, page, enter }) => {
  const runId = await app.run('grades', pupils(60_000));
  await enter(`/runs/${runId}/rows`);
  await expect(page.getByText('60,000 rows', { exact: true })).toBeVisible({ timeout: 60_000 });
  await grid(page, 'Rows').focus();
  await page.keyboard.press('End');
  await expect(grid(page, 'Rows').locator('[aria-rowindex="60002"]')).toContainText('60,000');
});

test('a run that is removed under an open page says so', async ({ page }) => {
  const clock = new LeapingClock();
  const app = await startApp({ clock, settings: { retention: { days: 1, gigabytes: 5 } } });
  try {
    const runId = await app.run('quick', [{ n: 1 }]);
    await page.goto(await linkTo(app, `/runs/${runId}/rows`));
    await expect(page.getByRole('heading', { name: 'quick', level: 1 })).toBeVisible();
    // A run that ends after the leap is not old.
    await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
    clock.leap(overADay);
    await app.run('quick', [{ n: 2 }]);
    await expect(page.getByRole('heading', { name: 'This run has been removed' })).toBeVisible();
  } finally {
    await app.close();
  }
});

test('a run that does not exist is named as such, and one that cannot be read can be read again', async ({
  page,
  enter,
}) => {
  const handler = callOf('run.show');
  await page.route(handler, (route) => route.abort());
  await enter('/runs/0197a000-0000-7000-8000-000000000000');
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(page.getByRole('alert')).toContainText('The run could not be read.');
  await page.unroute(handler);
  await again.click();
  await expect(page.getByRole('heading', { name: 'There is no such run' })).toBeVisible();
  await expect(again).toBeHidden();
});

test('a run that is removed before its details arrive was there', async ({ page }) => {
  const clock = new LeapingClock();
  const app = await startApp({ clock, settings: { retention: { days: 1, gigabytes: 5 } } });
  try {
    const runId = await app.run('quick', [{ n: 1 }]);
    await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
    const removed = new Promise((resolve) => app.services.runs.retention.removals.listen(resolve));
    // The run is shown from the live feed alone.
    await page.route(callOf('run.show'), async (route) => {
      await removed;
      await route.continue();
    });
    await page.goto(await linkTo(app, `/runs/${runId}/rows`));
    await expect(page.getByRole('heading', { name: 'quick', level: 1 })).toBeVisible();
    clock.leap(overADay);
    await app.run('quick', [{ n: 2 }]);
    await expect(page.getByRole('heading', { name: 'This run has been removed' })).toBeVisible();
  } finally {
    await app.close();
  }
});

test('no tab of a run has a barrier', async ({ app, page, enter }) => {
  const runId = await app.run('failing', pupils(6));
  await enter(`/runs/${runId}/rows`);
  await grid(page, 'Rows').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Why' }).click();
  await expect(page.getByText('line 9 of the file')).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await structureProblems(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Timing' }).click();
  await expect(page.getByRole('heading', { name: 'Time in nodes' })).toBeVisible();
  expect(await structureProblems(page)).toEqual([]);
  for (const width of [700, 420]) {
    await page.setViewportSize({ width, height: 900 });
    const times = page.getByRole('img', { name: /^Rows by the time/ }).first();
    await expect(times).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('tab', { name: 'Rows' }).click();
  await page.getByRole('button', { name: 'Nodes', exact: true }).click();
  await page
    .getByRole('gridcell', { name: /^check: / })
    .first()
    .click();
  await expect(page.getByRole('complementary')).toContainText('Trace');
  expect(await structureProblems(page)).toEqual([]);
});
