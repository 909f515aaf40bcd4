// The real app in Electron's own binary. Runs wherever that is installed: `npm run test:desktop`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { findElectron } from '../../scripts/electron.mjs';

const root = join(import.meta.dirname, '../..');
const program = findElectron();

type Desktop = { readonly app: ElectronApplication; readonly page: Page; readonly dataDir: string };

async function launch(dataDir: string): Promise<Desktop> {
  const app = await _electron.launch({
    ...(program === undefined ? {} : { executablePath: program }),
    args: [root, `--data=${dataDir}`, '--port=0'],
  });
  return { app, page: await app.firstWindow(), dataDir };
}

const test = base.extend<{ desktop: Desktop }>({
  desktop: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'rowbench-desktop-'));
    const desktop = await launch(dataDir);
    await use(desktop);
    await desktop.app.close();
    await rm(dataDir, { recursive: true, force: true });
  },
});

test.skip(program === undefined, "Electron's binary is not installed here");

test('the window opens on our own origin and is let in without a link', async ({ desktop: { page } }) => {
  await expect(page.getByRole('navigation')).toBeVisible();
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
});

test('has the preferences that it was given', async ({ desktop: { app } }) => {
  // Left out of Electron's types; its security page tells to read it.
  type Readable = { getLastWebPreferences(): Record<string, unknown> };
  const preferences = await app.evaluate(({ webContents }) =>
    webContents
      .getAllWebContents()
      .map((contents) => (contents as unknown as Readable).getLastWebPreferences()),
  );
  expect(preferences).toHaveLength(1);
  expect(preferences[0]).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

for (const attack of [
  "location.href = 'https://example.com/'",
  "window.open('https://example.com/')",
  "window.open('about:blank')",
  "Object.assign(document.createElement('a'), { href: 'https://example.com/', target: '_blank' }).click()",
  "document.body.appendChild(Object.assign(document.createElement('iframe'), { src: 'https://example.com/' })) && 1",
]) {
  test(`leaves the app by no way: ${attack}`, async ({ desktop: { app, page } }) => {
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
    });
    const { origin } = new URL(page.url());
    await page.evaluate(attack);
    await expect(page.getByRole('navigation')).toBeVisible();
    expect(app.windows()).toHaveLength(1);
    expect(new URL(page.url()).origin).toBe(origin);
  });
}

test('refuses what a page could ask of the system', async ({ desktop: { page } }) => {
  for (const name of ['geolocation', 'camera', 'microphone', 'notifications', 'clipboard-read'])
    expect([
      name,
      await page.evaluate(`navigator.permissions.query({ name: '${name}' }).then((s) => s.state)`),
    ]).toEqual([name, 'denied']);
});

test('holds no token, no Node and no Electron in the page', async ({ desktop: { page } }) => {
  expect(await page.evaluate('[typeof require, typeof process, Object.keys(window.rowbench)]')).toEqual([
    'undefined',
    'undefined',
    ['call', 'ask', 'onGo'],
  ]);
});

test('goes where the menu says, and shows the tray', async ({ desktop: { app, page } }) => {
  await expect(page.getByRole('navigation')).toBeVisible();
  await app.evaluate(({ Menu }) => {
    const go = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Go');
    go?.submenu?.items.find(({ label }) => label === 'Keys')?.click();
  });
  await expect(page).toHaveURL(/\/keys$/);
});

test('can be left and started again on the same data', async ({ desktop }) => {
  const { app, page, dataDir } = desktop;
  const call = (name: string, input: object): Promise<unknown> =>
    page.evaluate(
      `fetch('/_rowbench/v1/call/${name}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(input)}' }).then((r) => r.json())`,
    );
  await expect(page.getByRole('navigation')).toBeVisible();
  expect(await call('run.list', {})).toMatchObject({ success: true });
  await app.close();
  const again = await launch(dataDir);
  await expect(again.page.getByRole('navigation')).toBeVisible();
  await again.app.close();
});
