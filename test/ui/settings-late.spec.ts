// Late answers to settings, keys, imports and calls: the user's later actions are neither lost nor overwritten.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { sampleWorkflows } from '../builders/start-test-app.ts';
import { callOf, drawn, expect, holdAnswer, test } from './in-app.ts';

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });
const undo = (page: Page, words: string) =>
  messages(page).locator('.toast').filter({ hasText: words }).getByRole('button', { name: 'Undo' });

test('two scenarios are both kept, and an undo reverts its own alone', async ({ app, page, enter }) => {
  await enter('/settings/scenarios');
  const scenarios = async () => (await app.handlers['settings.show']({})).stored.scenarios.workflows;
  for (const id of ['echo', 'quick']) {
    await page.getByRole('button', { name: `Change the scenario of ${id}` }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Each row is slow' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(messages(page)).toContainText(`Scenario saved for new runs of ${id}`);
  }
  expect(await scenarios()).toEqual({ echo: 'slow=200ms', quick: 'slow=200ms' });
  await undo(page, 'Scenario saved for new runs of echo').click();
  await expect(messages(page)).toContainText('Undone');
  expect(await scenarios()).toEqual({ quick: 'slow=200ms' });
});

test('text that is typed while a field is saved stays', async ({ app, page, enter }) => {
  await enter('/settings/server');
  const field = page.getByRole('textbox', { name: 'Second header for the key' });
  const saving = await holdAnswer(page, callOf('settings.change'));
  await field.fill('x-one');
  await field.press('Enter');
  await saving.isBlocked;
  await field.fill('x-two');
  await saving.free();
  await expect(messages(page)).toContainText('x-one carries');
  await expect(field).toHaveValue('x-two');
  expect((await app.handlers['settings.show']({})).stored.extraKeyHeader).toBe('x-one');
  await field.press('Enter');
  await expect(messages(page)).toContainText('x-two carries');
  await expect(page.getByRole('button', { name: 'Save: Second header for the key' })).toHaveCount(0);
});

test('a network that is switched on and off at once is off', async ({ app, page, enter }) => {
  await enter('/settings/network');
  const network = async () => (await app.handlers['workflow.show']({ workflowId: 'echo' })).network;
  const before = await network();
  const group = page.getByRole('group', { name: 'echo may reach' });
  const lan = group.getByRole('switch', { name: 'Local network' });
  const granting = await holdAnswer(page, callOf('workflow.grant'));
  await lan.click();
  await granting.isBlocked;
  await lan.click();
  await granting.free();
  await expect.poll(network).toEqual(before);
  await expect(lan).not.toBeChecked();
});

test('a confirmed action that is under way keeps its dialog open', async ({ app, page, enter }) => {
  const { key } = await app.handlers['key.create']({ name: 'old', workflows: null });
  await enter('/keys');
  const revoking = await holdAnswer(page, callOf('key.revoke'));
  await page.getByRole('button', { name: 'Revoke the key old' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the key “old”?' });
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await revoking.isBlocked;
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep it' }).press('Enter', { timeout: 2_000 });
  await drawn(page);
  await expect(dialog).toBeVisible();
  await revoking.free();
  await expect(dialog).toBeHidden();
  expect((await app.handlers['key.list']({})).find(({ id }) => id === key.id)?.revokedAt).not.toBeNull();
});

test('a key that is created late is shown on any screen', async ({ page, context, enter }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter('/runs');
  await page.getByRole('link', { name: 'Keys' }).first().click();
  const making = await holdAnswer(page, callOf('key.create'));
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('late');
  await page.keyboard.press('Enter');
  await making.isBlocked;
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await making.free();
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  await expect(shown.getByRole('heading', { name: 'Key “late” is ready' })).toBeVisible();
  await shown.getByRole('button', { name: 'Copy and test' }).press('Enter');
  await expect(shown).toBeHidden();
  await expect(page.getByRole('button', { name: 'Try it', exact: true })).toBeFocused();
  await page.getByRole('combobox', { name: 'Workflow' }).fill('quick');
  await page.keyboard.press('Enter');
  await expect(page.getByText('“late” has access to quick')).toBeVisible();
});

test('the import applies to the preview that was shown', async ({ app, page, enter }) => {
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
  await looking.isBlocked;
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

test('a call that is repeated late does not replace another call that was opened since', async ({
  app,
  page,
  enter,
}) => {
  for (const n of [1, 2]) await app.run('quick', [{ n }]);
  await enter('/log');
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('Enter');
  const repeating = await holdAnswer(page, callOf('calls.replay'));
  await page.getByRole('button', { name: 'Repeat' }).click();
  await repeating.isBlocked;
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const address = page.url();
  await repeating.free();
  await expect(messages(page).getByRole('paragraph')).toHaveText([/^Call repeated/]);
  expect(page.url()).toBe(address);
});
