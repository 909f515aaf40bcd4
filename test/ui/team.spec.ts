import { barriers, callOf, expect, holdAnswer, pagesFolder, test } from './in-app.ts';
import { startTeamApp, type TeamApp } from '../builders/team-app.ts';

const team = test.extend<{ readonly server: TeamApp }>({
  server: async ({}, use) => {
    const server = await startTeamApp({ pagesFolder, limits: 'off' });
    await use(server);
    await server.close();
  },
});

team('a viewer signs in by keyboard, sees all, changes nothing, and signs out', async ({ server, page }) => {
  const runId = await server.run('waiting', [{ n: 1 }]);
  await page.goto(`${server.url}/runs/${runId}`);
  const field = page.getByLabel('Access token');
  await expect(field).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Paste your access token.');
  await page.keyboard.type('rbt_wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(
    'This access token is not valid. It may have expired or been revoked.',
  );
  expect(await barriers(page)).toEqual([]);
  await field.fill(server.tokens.viewer);
  await page.keyboard.press('Enter');

  const needsOperator = 'This needs the role operator. Your access token has the role viewer';
  for (const name of ['Pause', 'Cancel', 'Other steps']) {
    const button = page.getByRole('button', { name, exact: true });
    await expect(button).toBeDisabled();
    await expect(button).toHaveAttribute('title', needsOperator);
  }
  expect(await page.evaluate(() => [document.cookie, JSON.stringify(localStorage)].join())).not.toMatch(
    /rowbench=|secret|rbt_/,
  );
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  for (const name of ['Cancel', 'Name and tags', 'New run', 'New workflow…', 'Run echo…']) {
    await page.getByRole('combobox').fill(name);
    const option = page.getByRole('option', { name }).first();
    await expect(option).toHaveAttribute('aria-disabled', 'true');
    await expect(option).toContainText('This needs the role');
  }
  expect(await barriers(page)).toEqual([]);
  // Nothing happens, and the palette stays.
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').fill('Show rows');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runs\/[-\w]+$/);
  await page.getByRole('link', { name: 'Workflows' }).click();
  await expect(page.getByRole('button', { name: 'New workflow…' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Import…' })).toBeDisabled();
  await page.getByRole('link', { name: 'echo' }).first().click();
  await expect(page.getByRole('listbox', { name: /^Workflow file/ })).toBeVisible();
  await expect(page.getByText('This needs the role admin.')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Test rows' }).click();
  await expect(page.getByText('No test rows yet.')).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Rows' })).toHaveAttribute('aria-readonly', 'true');
  await page.getByRole('link', { name: 'Keys' }).click();
  await expect(page.getByRole('button', { name: 'Create key' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Revoke the key test' })).toBeDisabled();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('This needs the role admin.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Port' })).toBeDisabled();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Appearance' }).click();
  await expect(page.getByText('This needs the role admin.')).toBeHidden();

  await page.reload();
  await expect(page.getByText('the viewer')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

team(
  'an operator may act until the token is revoked, and is then asked to sign in',
  async ({ server, page }) => {
    const runId = await server.run('waiting', [{ n: 1 }]);
    await page.goto(`${server.url}/runs/${runId}`);
    await page.getByLabel('Access token').fill(server.tokens.operator);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await expect(page.getByText('Cancelled').first()).toBeVisible();
    await server.handlers['token.revoke']({ id: server.tokenIds.operator });
    await expect(page.getByRole('button', { name: 'Sign in again' })).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  },
);

team(
  'an admin creates and revokes a token, and reads in the audit log who did what',
  async ({ server, page }) => {
    await server.perform(server.tokens.operator, 'settings.change', { port: 4180 });
    await page.goto(`${server.url}/settings/access`);
    await page.getByLabel('Access token').fill(server.tokens.admin);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create token' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText('Name the user that the token is for.');
    await page.keyboard.type('Ada');
    await dialog.getByLabel('Role').selectOption('operator');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create token' }).press('Enter');
    const secret = await dialog.getByRole('region', { name: 'The access token' }).innerText();
    expect((await server.perform(secret, 'run.list')).status).toBe(200);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    const row = page.getByRole('row', { name: /^Ada operator rbt_…/ });
    await expect(row).toBeVisible();
    expect(await page.content()).not.toContain(secret);

    const log = page.getByRole('region', { name: 'Audit log' }).last();
    await expect(log.getByRole('row', { name: /the admin token\.create .* Done/ })).toBeVisible();
    await expect(
      log.getByRole('row', { name: /the operator settings\.change .*role_required/ }),
    ).toBeVisible();
    await page.getByLabel('User').selectOption('the operator');
    await expect(log.getByText('token.create')).toHaveCount(0);
    await expect(log.getByText('the operator')).toHaveCount(1);
    await page.getByLabel('User').selectOption('Ada');
    await expect(page.getByText('Ada has changed nothing yet.')).toBeVisible();

    await row.getByRole('button', { name: /^Revoke/ }).press('Enter');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await expect(row.getByText(/^Revoked/)).toBeVisible();
    expect((await server.perform(secret, 'run.list')).status).toBe(401);
  },
);

team('a token that arrives after the admin has gone back is shown there', async ({ server, page }) => {
  await page.goto(`${server.url}/settings/appearance`);
  await page.getByLabel('Access token').fill(server.tokens.admin);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  const creating = await holdAnswer(page, callOf('token.create'));
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await creating.isBlocked;
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await creating.free();
  await expect(dialog.getByRole('heading', { name: 'The token for Ada is ready' })).toBeVisible();
  const secret = await dialog.getByRole('region', { name: 'The access token' }).innerText();
  expect((await server.perform(secret, 'run.list')).status).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/settings\/appearance/);
});

team('the API log and the data folder are named as those of one server', async ({ server, page }) => {
  await page.goto(`${server.url}/log`);
  await page.getByLabel('Access token').fill(server.tokens.admin);
  await page.keyboard.press('Enter');
  await expect(page.getByText('each server of the team has its own log')).toBeVisible();
  await page.goto(`${server.url}/settings/folder`);
  await expect(page.getByText('A folder of this server alone')).toBeVisible();
  await expect(page.getByText('Everything that Rowbench keeps')).toHaveCount(0);
});
