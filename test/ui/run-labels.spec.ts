// Runs that users find again: a name, a note, tags and a pin.
import type { Run } from '../../src-main/domain/run/run.ts';
import { queuedRun } from '../builders/run-record.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import {
  barriers,
  barriersInBothThemes,
  callOf,
  expect,
  resize,
  runList,
  startApp,
  test as base,
} from './in-app.ts';

const runIdOf = (number: number): string => `0197c0de-0000-7000-8000-00000000000${number}`;

const ended = (number: number, labels?: Run['labels']): Run => ({
  ...queuedRun({ runId: runIdOf(number), workflowId: 'quick', ...(labels === undefined ? {} : { labels }) }),
  status: 'completed',
  finishedAt: new Date().toISOString(),
  counts: { rowsDone: 3, rowsFailed: 0 },
});

const longName = 'Before the new prompt and after the change of the scoring table. '.repeat(3).trim();
const longTags = Array.from({ length: 20 }, (_, n) => `${n} ${'long tag '.repeat(4)}`);
const labelled = [
  ended(1),
  ended(2, { isPinned: true, name: longName, note: 'Asked by Ada.\n'.repeat(9), tags: longTags }),
  ended(3, { name: 'لقبل التغيير الجديد (A)', note: 'ملاحظة', tags: ['أساس', 'customer'] }),
];

const test = base.extend<{ app: TestApp; runs: readonly Run[] }>({
  runs: async ({}, use) => use([ended(1), ended(2)]),
  app: async ({ runs }, use) => {
    const app = await startApp({ runs });
    await use(app);
    await app.close();
  },
});

test('the keys alone pin, name and tag a run, and find it again', async ({ page, enter }) => {
  await enter();
  const list = runList(page);
  const row = page.locator(`#run-${runIdOf(2)}`);
  await expect(list.grid).toBeFocused();
  await page.keyboard.press('p');
  await expect(row.getByRole('img', { name: 'Pinned' })).toBeVisible();
  await expect(page.getByRole('log')).toContainText('Run of quick pinned');
  await page.keyboard.press('Enter');
  const header = page.getByRole('region', { name: 'This run' });
  await expect(header.getByText('Pinned')).toBeAttached();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('name and tags');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Name and tags' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Before the new prompt');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Asked by Ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type(`baseline, ${'x'.repeat(51)}`);
  await expect(dialog.getByRole('alert')).toContainText('A tag can have up to 50 characters');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  for (let n = 0; n < 50; n += 1) await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('quick · Before the new prompt');
  await expect(page).toHaveTitle(/^✓ Completed · Before the new prompt · quick …/);
  await page.getByRole('button', { name: 'Details of the run' }).focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('dialog', { name: 'Details of the run' });
  await expect(details).toContainText('Asked by Ada');

  await details.getByRole('link', { name: 'baseline' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runs\?tag=baseline$/);
  await expect(list.row('quick')).toHaveText(/Before the new prompt/);
  const chips = page.getByRole('group', { name: 'Labels' });
  await chips.getByRole('button', { name: 'Tag: baseline' }).focus();
  await page.keyboard.press('Enter');
  await expect(list.row('quick')).toHaveCount(2);
  await chips.getByRole('button', { name: 'Pinned 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runs\?pinned=true$/);
  await page.reload();
  await expect(list.row('quick')).toHaveCount(1);
});

test('a selected run is named, and its tag filters the list together with other filters', async ({
  page,
  enter,
}) => {
  await enter('/runs?status=completed');
  const list = runList(page);
  await page
    .locator(`#run-${runIdOf(1)}`)
    .getByRole('checkbox')
    .click();
  await page.getByRole('toolbar', { name: 'Selected runs' }).getByText('Name and tags…').click();
  const dialog = page.getByRole('dialog', { name: 'Name and tags' });
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('v2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await list.row('quick').getByRole('link', { name: 'v2' }).click();
  await expect(page).toHaveURL(/\/runs\?status=completed&tag=v2$/);
  await expect(list.row('quick')).toHaveCount(1);
});

test('labels that change elsewhere appear, and a refused change is reverted', async ({
  app,
  page,
  enter,
}) => {
  const runId = runIdOf(1);
  await enter(`/runs/${runId}`);
  const pin = page.getByRole('region', { name: 'This run' }).getByText('Pinned');
  const more = page.getByRole('button', { name: 'More', exact: true });
  const heading = page.getByRole('heading', { level: 1 });
  await expect(pin).toHaveCount(0);
  await app.handlers['run.label']({ runId, changes: { name: 'From a script', isPinned: true } });
  await expect(heading).toHaveText('quick · From a script');
  await expect(pin).toHaveCount(1);

  await more.click();
  await page.getByRole('menuitem', { name: 'Name and tags…' }).click();
  await app.handlers['run.label']({ runId, changes: { name: 'Renamed meanwhile' } });
  const dialog = page.getByRole('dialog', { name: 'Name and tags' });
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Details of the run' }).click();
  await expect(page.getByRole('link', { name: 'mine' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(heading).toHaveText('quick · Renamed meanwhile');

  const refusal = {
    status: 507,
    headers: { 'x-rowbench-error': 'disk_full' },
    json: { success: false, error: 'The disk is full' },
  };
  await page.route(callOf('run.label'), (route) => route.fulfill(refusal));
  await more.click();
  await page.getByRole('menuitem', { name: /^Unpin/ }).click();
  await expect(page.getByRole('log')).toContainText('The disk is full');
  await expect(pin).toHaveCount(1);
  await more.click();
  await page.getByRole('menuitem', { name: 'Name and tags…' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The disk is full');
  await page.keyboard.press('Escape');
  await expect(heading).toHaveText('quick · Renamed meanwhile');
});

test.describe('with labels of any length and script', () => {
  test.use({ runs: async ({}, use) => use(labelled) });

  test('list and header stay within their lines, also in a narrow window', async ({ page, enter }) => {
    await enter();
    for (const width of [700, 1280])
      for (const number of [1, 2, 3]) {
        await resize(page, width);
        const cell = page.locator(`#run-${runIdOf(number)} .workflow`);
        await expect(cell).toBeVisible();
        expect(await cell.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
        expect(await cell.evaluate((each) => each.clientHeight)).toBeLessThan(28);
      }
    expect(await barriersInBothThemes(page)).toEqual([]);
    for (const number of [2, 3]) {
      await page.goto(new URL(`/runs/${runIdOf(number)}`, page.url()).href);
      await expect(page.getByRole('button', { name: 'More', exact: true })).toBeVisible();
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toContainText('quick');
      for (const width of [700, 1280]) {
        await resize(page, width);
        expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true);
      }
      expect(await barriersInBothThemes(page)).toEqual([]);
    }
  });
});
