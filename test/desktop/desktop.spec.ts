// The real app in Electron's own binary. Runs wherever that is installed: `npm run test:desktop`.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { findElectron } from '../../scripts/electron.mjs';
import { sampleWorkflows } from '../builders/start-test-app.ts';

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

test('the window has the expected web preferences', async ({ desktop: { app } }) => {
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

/** A call as the page makes it; the shell proves it. */
const callFrom = (page: Page, path: string, input: object): Promise<unknown> =>
  page.evaluate(
    `fetch('/_rowbench/v1${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(input)}' }).then((r) => r.json())`,
  );

const press = (app: ElectronApplication, response: number): Promise<void> =>
  app.evaluate(({ dialog }, options) => {
    dialog.showMessageBox = async () => ({ response: options, checkboxChecked: false });
  }, response);

for (const [label, path] of [
  ['Runs', '/runs'],
  ['Workflows', '/workflows'],
  ['API log', '/log'],
  ['Settings…', '/settings'],
] as const) {
  test(`the menu leads to ${label}`, async ({ desktop: { app, page } }) => {
    await page.getByRole('link', { name: 'Keys' }).click();
    await expect(page).toHaveURL(/\/keys$/);
    await app.evaluate(({ Menu }, label) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      items?.find((item) => item.label === label)?.click();
    }, label);
    await expect(page).toHaveURL((url) => url.pathname.startsWith(path));
  });
}

test('a second start hands its link and its file over, and ends', async ({
  desktop: { app, page, dataDir },
}) => {
  const second = (what: string): Promise<number | null> =>
    new Promise((resolve) =>
      spawn(program ?? '', [root, `--data=${dataDir}`, what], { stdio: 'ignore' }).once('exit', resolve),
    );
  await expect(page.getByRole('navigation')).toBeVisible();
  expect(await second('rowbench://workflows/score-leads')).toBe(0);
  await expect(page).toHaveURL(/\/workflows\/score-leads$/);
  expect(await second(join(dataDir, 'workflows', 'score-leads.workflow.yaml'))).toBe(0);
  await expect(page.getByRole('dialog', { name: 'Import workflows' })).toBeVisible();
  expect(app.windows()).toHaveLength(1);
});

test('the page cannot trust by itself, nor get a link for a browser', async ({ desktop: { app, page } }) => {
  await expect(page.getByRole('navigation')).toBeVisible();
  const grant = { workflowId: 'score-leads', allow: ['lan'] };
  expect(await callFrom(page, '/call/workflow.grant', grant)).toMatchObject({ success: false });
  expect(await callFrom(page, '/call/server.link', {})).toMatchObject({ success: false });
  const ask = `window.rowbench.ask('workflow.grant', ${JSON.stringify(grant)})`;
  await press(app, 1);
  expect(await page.evaluate(ask)).toMatchObject({ code: 'declined' });
  await press(app, 0);
  expect(await page.evaluate(ask)).toMatchObject({ data: { network: ['public', 'lan'] } });
});

test('a page that died is loaded again, and runs go on', async ({ desktop: { app, page } }) => {
  await expect(page.getByRole('navigation')).toBeVisible();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  const isBack = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        "document.querySelector('nav') !== null",
      ),
    );
  await expect.poll(isBack).toBe(true);
});

test('quits while a run is under way and goes on with it at the next start', async ({ desktop }) => {
  const { app, page, dataDir } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  await writeFile(join(dataDir, 'workflows', 'waiting.workflow.yaml'), sampleWorkflows.waiting);
  await expect
    .poll(() => callFrom(page, '/workflows/waiting/runs', { rows: [{ n: 1 }] }))
    .toMatchObject({ success: true });
  await press(app, 0);
  const ended = app.waitForEvent('close');
  // Not awaited in there: its answer would never come.
  await app.evaluate(({ app: electron }) => void setImmediate(() => electron.quit()));
  await ended;
  const again = await launch(dataDir);
  await expect(again.page.getByRole('navigation')).toBeVisible();
  await expect
    .poll(() => callFrom(again.page, '/call/run.list', {}))
    .toMatchObject({ data: [{ status: 'running' }] });
  // Left at once: closing would ask about the run.
  await press(again.app, 0);
  await again.app.close();
});
