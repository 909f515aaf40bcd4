import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, runList, test } from './in-app.ts';

test('a key is made by the keyboard alone, shown once, works, and ends when it is revoked', async ({
  app,
  page,
  enter,
}) => {
  await enter();
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('create');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Give the key a name, to know it by later.');
  await page.keyboard.type('nightly');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  const secret = (await shown.getByRole('region', { name: 'The key' }).textContent()) ?? '';
  expect(secret).toMatch(/^rbk_[\w-]{43}$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(shown).toBeHidden();
  expect(await page.content()).not.toContain(secret);

  const call = () => app.call('/api/v1/workflows/quick/runs/x/async/status', { key: secret });
  expect((await call()).status).toBe(404);
  const row = page.getByRole('row').filter({ hasText: 'nightly' });
  await expect(row).toContainText(`rbk_…${secret.slice(-4)}`);
  await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Revoke the key nightly' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Revoke the key “nightly”?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.getByRole('button', { name: 'Revoke key' }).press('Enter');
  await expect(row).toContainText('Revoked');
  expect((await call()).status).toBe(401);
});

test('J and K move along the keys', async ({ app, page, enter }) => {
  for (const name of ['Nightly', 'Weekly']) await app.handlers['key.create']({ name, workflows: null });
  await enter('/keys');
  const revoke = (name: string) => page.getByRole('button', { name: `Revoke the key ${name}` });
  await expect(revoke('Weekly')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Keys' })).toBeFocused();
  await page.keyboard.press('j');
  await expect(revoke('Weekly')).toBeFocused();
  await page.keyboard.press('j');
  await expect(revoke('Nightly')).toBeFocused();
  await page.keyboard.press('k');
  await expect(revoke('Weekly')).toBeFocused();
});

test('a key opens only the workflows that were chosen for it', async ({ app, page, enter }) => {
  await enter('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('scoped');
  await page.getByRole('radio', { name: 'Only these:' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('alert')).toHaveText('Choose at least one workflow.');
  await page.getByRole('checkbox', { name: 'quick' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const secret = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  const status = async (id: string) =>
    (await app.call(`/api/v1/workflows/${id}/runs/x/async/status`, { key: secret })).status;
  expect([await status('quick'), await status('echo')]).toEqual([404, 403]);
});

test('a test of a key shows what the service would answer and what to change', async ({
  app,
  page,
  enter,
}) => {
  const scoped = await app.createKey(['quick']);
  const { key: old, secret: revoked } = await app.handlers['key.create']({ name: 'old', workflows: null });
  await app.handlers['key.revoke']({ id: old.id });
  await enter('/keys');
  const tester = page.getByRole('region', { name: 'Try a key' });
  const field = tester.getByLabel('Key');
  await expect(field).toHaveAttribute('type', 'password');
  const body = tester.getByRole('region', { name: 'Body of the answer' });
  const cases = [
    ['rbk_nothing', 'quick', '401 Unauthorized', 'This key is not in the list.'],
    [revoked, 'quick', '401 Unauthorized', '“old” was revoked.'],
    [`${scoped} `, 'quick', '401 Unauthorized', 'spaces or line breaks'],
    [scoped, 'echo', '403 Forbidden', 'has access only to quick'],
    [app.key, 'quik', '404 Not Found', 'Did you mean “quick”?'],
    [app.key, 'broken', '422 Unprocessable Content', 'There is no node "missing"'],
    [scoped, 'quick', '201 Created', 'a call like this starts a run'],
  ] as const;
  for (const [key, workflow, title, words] of cases) {
    await field.fill(key);
    await tester.getByRole('combobox', { name: 'Workflow' }).fill(workflow);
    await page.keyboard.press('Enter');
    await expect(tester.getByRole('status').first()).toContainText(title);
    await expect(tester.getByRole('status').first()).toContainText(words);
    if (title.startsWith('20')) continue;
    const real = await app.trigger(workflow, '{"rows":[{}]}', { key: key.trim() === key ? key : 'rbk_x' });
    expect(JSON.parse((await body.textContent()) ?? '')).toEqual(real.body);
  }
  const runId = await app.run('quick', [{ n: 1 }]);
  await tester.getByRole('textbox', { name: 'Run (optional)' }).fill(runId);
  await expect
    .poll(async () => {
      await tester.getByRole('button', { name: 'Try it' }).click();
      return tester.getByRole('status').first().textContent();
    })
    .toContain('200 OK');
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain(scoped);
});

test('a key that was just made can be tried at once', async ({ page, context, enter }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('fresh');
  await page.keyboard.press('Enter');
  const secret = await page.getByRole('region', { name: 'The key', exact: true }).textContent();
  await page.getByRole('button', { name: 'Copy and test' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Try it', exact: true })).toBeFocused();
  await page.getByRole('combobox', { name: 'Workflow' }).fill('quick');
  await page.keyboard.press('Enter');
  await expect(page.getByText('“fresh” has access to quick')).toBeVisible();
  expect(secret).toContain(await page.evaluate(() => navigator.clipboard.readText()));
});

test('a key that another page or the command line made is there at once', async ({ app, page, enter }) => {
  await enter('/keys');
  await app.handlers['key.create']({ name: 'from elsewhere', workflows: null });
  await expect(page.getByRole('cell', { name: 'from elsewhere', exact: true })).toBeVisible();
});

test('the call that comes with a new key is one that works when it is pasted', async ({ page, enter }) => {
  await enter('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('first');
  await page.getByRole('radio', { name: 'Only these:' }).check();
  await page.getByRole('checkbox', { name: 'quick' }).check();
  await page.keyboard.press('Enter');
  const line = (await page.getByRole('region', { name: 'Call that starts a run' }).textContent()) ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await expect(runList(page).row('quick')).toContainText('Completed');
  await expect(runList(page).row('quick')).toContainText('first');
});
