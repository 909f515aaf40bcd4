import type { Page } from '@playwright/test';
import type { TestApp } from '../builders/start-test-app.ts';
import {
  barriers,
  barriersInBothThemes,
  expect,
  linkTo,
  resize,
  runList,
  startApp,
  test as base,
} from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Check leads
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h, when: "=row.waits" }
  - { id: check, type: fail, after: [wait], when: "=row.fails", message: no address }
  - { id: result, type: output, after: [check], fields: { n: "=row.n" } }
`;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

const rows = (count: number, failing: number) =>
  Array.from({ length: count }, (_, n) => ({ n, fails: n < failing }));

async function completedRun(app: TestApp, count: number, failing: number): Promise<string> {
  const runId = await app.run('leads', rows(count, failing));
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
  return runId;
}

const short = (runId: string): string => `…${runId.slice(-8)}`;

/** The status in the list's line of that run. */
const statusOf = (page: Page, runId: string) => page.locator(`#run-${runId} [role='gridcell']`).nth(2);

/** The class that gives the status its colour. */
const colourOf = async (page: Page, runId: string): Promise<string | undefined> => {
  const classes = await statusOf(page, runId).locator('.status').getAttribute('class');
  return /green|amber|red/.exec(classes ?? '')?.[0];
};

test('list, workflows and header say in words and colour whether rows failed', async ({
  app,
  page,
  enter,
}) => {
  const whole = await completedRun(app, 6, 0);
  const some = await completedRun(app, 1_204, 1_081);
  const none = await completedRun(app, 2, 2);
  await enter();
  await expect(statusOf(page, whole)).toHaveText('Completed');
  await expect(statusOf(page, some)).toHaveText('Completed, 1,081 failed');
  await expect(statusOf(page, none)).toHaveText('All rows failed');
  expect(await Promise.all([whole, some, none].map((runId) => colourOf(page, runId)))).toEqual([
    'green',
    'amber',
    'red',
  ]);
  // Nothing is cut, and no column of the header touches the next one.
  for (const width of [700, 1280]) {
    await resize(page, width);
    expect(await statusOf(page, some).evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
    const heads = await page.getByRole('columnheader').all();
    for (const head of heads)
      expect(await head.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
    const [workflow, count] = await Promise.all([
      page.getByRole('columnheader', { name: 'Workflow and run' }).boundingBox(),
      page.getByRole('columnheader', { name: 'Rows' }).boundingBox(),
    ]);
    expect((count?.x ?? 0) - (workflow?.x ?? 0)).toBeGreaterThan(100);
  }
  expect(await barriersInBothThemes(page)).toEqual([]);

  await page.goto(await linkTo(app, '/workflows'));
  await expect(page.getByRole('row', { name: /Check leads/ })).toContainText('All rows failed');
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.goto(await linkTo(app, `/runs/${some}`));
  const header = page.getByRole('region', { name: 'This run' });
  await expect(header).toContainText('Completed, 1,081 failed');
  await expect(header).toContainText('123 of 1,204 done');
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('the runs with failures are one chip away, by keyboard and by address', async ({ app, page, enter }) => {
  await completedRun(app, 3, 0);
  const some = await completedRun(app, 3, 1);
  await enter();
  const list = runList(page);
  const chip = page.getByRole('button', { name: 'With failures 1' });
  await chip.focus();
  await page.keyboard.press('Enter');
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/status=with-failures/);
  await expect(list.row('leads')).toHaveCount(1);
  await expect(list.row(short(some))).toBeVisible();
  await page.reload();
  await expect(list.row('leads')).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('all rows failed');
  await expect(page.getByRole('heading', { name: 'No run fits the filter' })).toBeVisible();
});

test('the palette and the side bar show how runs went, and the palette opens one', async ({
  app,
  page,
  enter,
}) => {
  const some = await completedRun(app, 5, 2);
  await enter();
  const recent = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: /^Check leads/ });
  await expect(recent).toHaveAttribute('title', 'leads: Completed, 2 failed');
  await expect(recent).toContainText('Completed, 2 failed');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`${some.slice(-8)} failed`);
  const command = page.getByRole('option', { name: new RegExp(short(some)) });
  await expect(command).toContainText('Completed, 2 failed');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check leads', level: 1 })).toBeVisible();

  // Verbs of the product and of the page come first; the last line searches in the rows of all runs.
  const chosen = page.getByRole('option', { selected: true });
  const type = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
  };
  for (const [text, title] of [
    ['new key', 'Create a key'],
    ['limits off', 'Turn limits on'],
    ['export', 'Export'],
    ['snippet', 'Call Check leads from a script'],
    ['docs', 'Show the first steps'],
  ] as const) {
    await type(text);
    await expect(chosen).toContainText(title);
    await expect(page.getByRole('option').last()).toContainText(`Search “${text}” in all rows`);
    await page.keyboard.press('Escape');
  }
  await type('90071992');
  await expect(chosen).toContainText('Search “90071992” in all rows');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/find#/);
});

test('tabs of one workflow have different titles', async ({ app, page, enter }) => {
  const some = await completedRun(app, 5, 2);
  const none = await completedRun(app, 2, 2);
  const whole = await completedRun(app, 2, 0);
  const running = await app.run('leads', [...rows(5, 1), { n: 6, waits: true }, { n: 7 }, { n: 8 }]);
  await enter('/workflows/leads');
  await expect(page).toHaveTitle('Check leads · workflow');
  for (const [runId, lead] of [
    [some, '✗ 2 failed'],
    [none, '✗ All rows failed'],
    [whole, '✓ Completed'],
    [running, '87 %'],
  ] as const) {
    await page.goto(await linkTo(app, `/runs/${runId}`));
    await expect(page).toHaveTitle(`${lead} · Check leads ${short(runId)}`);
  }
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Running, 1 failed');
  await app.handlers['run.cancel']({ runId: running });
  await expect(page).toHaveTitle(`Cancelled · Check leads ${short(running)}`);
});
