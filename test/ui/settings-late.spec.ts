// Late answers to settings, keys, imports and calls: the user's later actions are neither lost nor overwritten.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { deferred } from '../../src-main/base/deferred.ts';
import { queuedRun } from '../builders/run-record.ts';
import { sampleWorkflows, startTestApp } from '../builders/start-test-app.ts';
import {
  callOf,
  drawn,
  expect,
  type HeldAnswer,
  holdAnswer,
  linkTo,
  pagesFolder,
  startApp,
  test,
} from './in-app.ts';

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });
const undo = (page: Page, words: string) =>
  messages(page).locator('.toast').filter({ hasText: words }).getByRole('button', { name: 'Undo' });

/** As `holdAnswer`, where the answer is not what the server says once it is let go: `begin` says what comes then. */
async function holdRoute(
  page: Page,
  { address, which = 1 }: { readonly address: string; readonly which?: number },
  begin: (route: Route) => Promise<() => Promise<void>> | (() => Promise<void>),
): Promise<Omit<HeldAnswer, 'letGo'>> {
  const [isHeld, isFree, isGiven] = [deferred(), deferred(), deferred()];
  let asked = 0;
  await page.route(address, async (route) => {
    asked += 1;
    if (asked !== which) return route.continue();
    const give = await begin(route);
    isHeld.resolve();
    await isFree.promise;
    await give();
    isGiven.resolve();
  });
  const free = async (): Promise<void> => {
    isFree.resolve();
    await isGiven.promise;
    await drawn(page);
  };
  return { isHeld: isHeld.promise, free };
}

test('of two scenarios saved at once both are kept, and an undo takes back its own alone', async ({
  app,
  page,
  enter,
}) => {
  await enter('/settings/scenarios');
  const scenarios = async () => (await app.handlers['settings.show']({})).stored.scenarios.workflows;
  const saving = await holdAnswer(page, callOf('settings.change'));
  for (const id of ['echo', 'quick']) {
    const field = page.getByRole('combobox', { name: id, exact: true });
    await field.fill('slow=200ms');
    await field.press('Enter');
    await saving.isHeld;
  }
  await saving.free();
  await expect(messages(page)).toContainText('New runs of quick: slow=200ms');
  expect(await scenarios()).toEqual({ echo: 'slow=200ms', quick: 'slow=200ms' });
  await undo(page, 'New runs of echo').click();
  await expect(messages(page)).toContainText('Undone');
  expect(await scenarios()).toEqual({ quick: 'slow=200ms' });
});

test('an older undo leaves what the same setting was changed to since', async ({ app, page, enter }) => {
  await enter('/settings/server');
  const field = page.getByRole('textbox', { name: 'Second header for the key' });
  for (const name of ['x-one', 'x-two']) {
    await field.fill(name);
    await field.press('Enter');
    await expect(messages(page)).toContainText(`${name} carries`);
  }
  await undo(page, 'x-one carries').click();
  await expect(messages(page)).toContainText('changed again since');
  expect((await app.handlers['settings.show']({})).stored.extraKeyHeader).toBe('x-two');
  await undo(page, 'x-two carries').click();
  await expect(field).toHaveValue('x-one');
});

test('what is typed while a field is saved stays', async ({ app, page, enter }) => {
  await enter('/settings/server');
  const field = page.getByRole('textbox', { name: 'Second header for the key' });
  const saving = await holdAnswer(page, callOf('settings.change'));
  await field.fill('x-one');
  await field.press('Enter');
  await saving.isHeld;
  await field.fill('x-two');
  await saving.free();
  await expect(messages(page)).toContainText('x-one carries');
  await expect(field).toHaveValue('x-two');
  expect((await app.handlers['settings.show']({})).stored.extraKeyHeader).toBe('x-one');
  await field.press('Enter');
  await expect(messages(page)).toContainText('x-two carries');
  await expect(page.getByRole('button', { name: 'Save: Second header for the key' })).toHaveCount(0);
});

test('a choice of limits that could not be saved is not shown as made', async ({ page }) => {
  const app = await startTestApp({ workflows: sampleWorkflows, pagesFolder });
  try {
    await page.goto(await linkTo(app, '/settings/limits'));
    await page.route(callOf('settings.change'), (route) => route.abort());
    await page.getByRole('radio', { name: 'Off' }).click();
    await expect(messages(page).getByRole('paragraph')).toHaveCount(1);
    await expect(page.getByRole('radio', { name: 'As published' })).toBeChecked();
  } finally {
    await app.close();
  }
});

for (const path of ['/settings/network', '/workflows/echo/access'])
  test(`on ${path}, a network that is switched on and off at once is off`, async ({ app, page, enter }) => {
    await enter(path);
    const network = async () => (await app.handlers['workflow.show']({ workflowId: 'echo' })).network;
    const before = await network();
    const lan = (
      path.startsWith('/settings')
        ? page.getByRole('group', { name: 'echo may reach' })
        : page.getByRole('main')
    ).getByRole('switch', { name: 'Local network' });
    const granting = await holdAnswer(page, callOf('workflow.grant'));
    await lan.click();
    await granting.isHeld;
    await lan.click();
    await granting.free();
    await expect.poll(network).toEqual(before);
    await expect(lan).not.toBeChecked();
  });

test('a secret that is stored late closes no other dialog', async ({ page, enter }) => {
  await enter('/settings/secrets');
  const dialog = page.getByRole('dialog');
  const storing = await holdAnswer(page, callOf('secret.set'));
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await dialog.getByLabel('Name').fill('ONE');
  await dialog.getByLabel('Sent only to').fill('a.example.com');
  await dialog.getByLabel('Value').fill('12345678');
  await page.keyboard.press('Enter');
  await storing.isHeld;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await dialog.getByLabel('Name').fill('TWO');
  await storing.free();
  await expect(messages(page)).toContainText('ONE is stored');
  await expect(dialog.getByLabel('Name')).toHaveValue('TWO');
});

test('a secret that was removed does not come back with an older list', async ({ app, page, enter }) => {
  await app.handlers['secret.set']({ name: 'ONE', hosts: ['a.example.com'], value: '12345678' });
  const listing = await holdRoute(page, { address: callOf('secret.list'), which: 2 }, async (route) => {
    const response = await route.fetch();
    return () => route.fulfill({ response });
  });
  await enter('/settings/secrets');
  await page.getByRole('button', { name: 'Add a secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('TWO');
  await dialog.getByLabel('Sent only to').fill('a.example.com');
  await dialog.getByLabel('Value').fill('12345678');
  await page.keyboard.press('Enter');
  await listing.isHeld;
  await page.getByRole('button', { name: 'Remove ONE' }).click();
  await page.getByRole('button', { name: 'Remove secret' }).click();
  await expect(page.getByRole('button', { name: 'Remove TWO' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove ONE' })).toHaveCount(0);
  await listing.free();
  await expect(page.getByRole('button', { name: 'Remove ONE' })).toHaveCount(0);
});

test('an older preview of retention that failed says nothing of newer limits', async ({ page }) => {
  const finishedAt = new Date(Date.now() - 9 * 86_400_000).toISOString();
  const times = { acceptedAt: finishedAt, startedAt: finishedAt, finishedAt };
  const run = {
    ...queuedRun(),
    runId: '01900000-0000-7000-8000-000000000001',
    ...times,
    status: 'completed',
    counts: { rowsDone: 3, rowsFailed: 0 },
  } as const;
  const app = await startApp({ runs: [run] });
  try {
    await page.goto(await linkTo(app, '/settings/retention'));
    const address = callOf('settings.retention');
    const asking = await holdRoute(page, { address }, (route) => () => route.abort());
    await page.getByRole('textbox', { name: 'Keep finished runs for' }).fill('8');
    await asking.isHeld;
    await page.getByRole('textbox', { name: 'Keep finished runs for' }).fill('7');
    await expect(page.getByText('Would remove 1 run now')).toBeVisible();
    await asking.free();
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  } finally {
    await app.close();
  }
});

test('what was confirmed and is under way is not left as if it were kept', async ({ app, page, enter }) => {
  const { key } = await app.handlers['key.create']({ name: 'old', workflows: null });
  await enter('/keys');
  const revoking = await holdAnswer(page, callOf('key.revoke'));
  await page.getByRole('button', { name: 'Revoke the key old' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the key “old”?' });
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await revoking.isHeld;
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep it' }).press('Enter', { timeout: 2_000 });
  await drawn(page);
  await expect(dialog).toBeVisible();
  await revoking.free();
  await expect(dialog).toBeHidden();
  expect((await app.handlers['key.list']({})).find(({ id }) => id === key.id)?.revokedAt).not.toBeNull();
});

test('the answer about a key is of the key that stands there', async ({ app, page, enter }) => {
  await enter('/keys');
  const tester = page.getByRole('region', { name: 'Try a key' });
  const testing = await holdAnswer(page, callOf('key.test'));
  await tester.getByLabel('Key').fill(app.key);
  await tester.getByLabel('Key').press('Enter');
  await testing.isHeld;
  await tester.getByLabel('Key').fill('rbk_wrong');
  await testing.free();
  await expect(tester.getByRole('region', { name: 'Body of the answer' })).toHaveCount(0);
  await tester.getByLabel('Key').press('Enter');
  await expect(tester.getByRole('status').first()).toContainText('401 Unauthorized');
});

test('a key that is made late is shown, wherever somebody went', async ({ page, enter }) => {
  await enter('/runs');
  await page.getByRole('link', { name: 'Keys' }).first().click();
  const making = await holdAnswer(page, callOf('key.create'));
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('late');
  await page.keyboard.press('Enter');
  await making.isHeld;
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await making.free();
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  await expect(shown.getByRole('heading', { name: 'Key “late” is ready' })).toBeVisible();
  await shown.getByRole('button', { name: 'Test it' }).press('Enter');
  await expect(shown).toBeHidden();
  await expect(page.getByRole('button', { name: 'Try it', exact: true })).toBeFocused();
  await page.getByRole('combobox', { name: 'Workflow' }).fill('quick');
  await page.keyboard.press('Enter');
  await expect(page.getByText('“late” opens quick')).toBeVisible();
});

test('what is imported is what was shown', async ({ app, page, enter }) => {
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-late-'));
  const path = (id: string) => join(folder, `${id}.workflow.yaml`);
  for (const id of ['one', 'two'])
    await writeFile(path(id), sampleWorkflows.echo.replace('id: echo', `id: ${id}`));
  await enter('/workflows');
  await page.getByRole('button', { name: 'Import…' }).click();
  const field = page.getByLabel('File or folder on this machine');
  const looking = await holdAnswer(page, callOf('workflow.inspect'));
  await field.fill(path('one'));
  await field.press('Enter');
  await looking.isHeld;
  await field.fill(path('two'));
  await looking.free();
  const shown = page.getByRole('region', { name: 'What would be imported' });
  await expect(shown).toHaveCount(0);
  await field.press('Enter');
  await expect(shown.getByRole('heading', { name: / two$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import, trust later' }).click();
  await expect(messages(page)).toContainText('1 workflow imported');
  const ids = (await app.handlers['workflow.list']({})).map(({ id }) => id);
  expect([ids.includes('one'), ids.includes('two')]).toEqual([false, true]);
});

test('a call that is repeated late leads nobody away from another call or screen', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await app.run('quick', [{ n: 1 }]);
  await app.run('quick', [{ n: 2 }]);
  for (const way of ['call', 'screen']) {
    await enter('/log');
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('Enter');
    const repeating = await holdAnswer(page, callOf('calls.replay'));
    await page.getByRole('button', { name: 'Repeat' }).click();
    await repeating.isHeld;
    if (way === 'call') {
      await grid.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    } else await page.getByRole('link', { name: 'Keys' }).first().click();
    const place = page.url();
    await repeating.free();
    await expect(messages(page).getByRole('paragraph')).toHaveText([/^Call repeated/]);
    expect(page.url()).toBe(place);
    await page.unroute(callOf('calls.replay'));
  }
  expect(problems).toEqual([]);
});
