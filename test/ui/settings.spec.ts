import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Settings } from '../../src-main/domain/settings.ts';
import { sectionsOf, sectionTitles } from '../../src-renderer/state/settings/settings-sections.ts';
import { LeapingClock, overADay } from '../builders/leaping-clock.ts';
import { queuedRun } from '../builders/run-record.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../builders/start-test-app.ts';
import {
  barriers,
  barriersInBothThemes,
  callOf,
  expect,
  holdAnswer,
  linkTo,
  pagesFolder,
  resize,
  test,
} from './in-app.ts';

async function stored({ dataDir }: TestApp): Promise<Partial<Settings>> {
  const path = join(dataDir, 'settings.json');
  // While they are replaced they go by the other name for a moment.
  const text = await readFile(path, 'utf8').catch(() => readFile(`${path}.previous`, 'utf8'));
  return JSON.parse(text) as Partial<Settings>;
}

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });
const daysField = (page: Page) => page.getByRole('textbox', { name: 'Keep finished runs for' });
const sizeField = (page: Page) => page.getByRole('textbox', { name: 'Keep the store below' });

/** A server whose only start option is its port. */
async function withFreeSettings(
  page: Page,
  path: string,
  use: (app: TestApp) => Promise<void>,
  options: Partial<Parameters<typeof startTestApp>[0]> = {},
): Promise<void> {
  const { echo, waiting } = sampleWorkflows;
  const app = await startTestApp({ workflows: { echo, waiting }, pagesFolder, ...options });
  try {
    await page.goto(await linkTo(app, path));
    await use(app);
  } finally {
    await app.close();
  }
}

test(
  'limits are changed by the keyboard alone, count at once, and a toast takes them back',
  { tag: '@main' },
  async ({ page }) => {
    await withFreeSettings(page, '/runs', async (app) => {
      const limits = async () =>
        (await app.call('/api/v1/workflows/echo/runs/x/async/status')).headers.get('x-rowbench-limits');
      await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await expect(page.getByRole('heading', { name: 'Server', level: 2 })).toBeVisible();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('settings limits');
      await page.keyboard.press('Enter');
      await page.getByRole('radio', { name: 'As published' }).focus();
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('row', { name: /Asking for a status, per run/ })).toContainText(
        '60 a minute',
      );
      await expect.poll(limits).toBe('10x');
      await page.getByRole('textbox', { name: 'Factor' }).fill('25');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('row', { name: /Asking for a status, per run/ })).toContainText(
        '150 a minute',
      );
      expect((await stored(app)).limits).toEqual({ scale: 25 });
      await messages(page)
        .filter({ hasText: '25 times' })
        .getByRole('button', { name: 'Undo' })
        .last()
        .press('Enter');
      await expect(page.getByRole('textbox', { name: 'Factor' })).toHaveValue('10');
      await page.getByRole('radio', { name: 'Off' }).check();
      await expect.poll(limits).toBe('off');
    });
  },
);

test('a change made elsewhere is seen at once', async ({ page }) => {
  await withFreeSettings(page, '/settings/limits', async (app) => {
    await expect(page.getByRole('radio', { name: 'As published' })).toBeChecked();
    await app.handlers['settings.change']({ limits: 'off' });
    await expect(page.getByRole('radio', { name: 'Off' })).toBeChecked();
  });
});

test('what was typed and not saved is still there when its section is opened again', async ({ page }) => {
  await withFreeSettings(page, '/settings', async () => {
    const go = (section: string) =>
      page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click();
    await page.getByRole('textbox', { name: 'Second header for the key' }).fill('x-my-key');
    await go('Retention');
    await daysField(page).fill('77');
    await sizeField(page).fill('2.5');
    await go('Server');
    await expect(page.getByRole('textbox', { name: 'Second header for the key' })).toHaveValue('x-my-key');
    await page.getByRole('button', { name: 'Save: Second header for the key' }).click();
    await go('Retention');
    await expect(daysField(page)).toHaveValue('77');
    await expect(sizeField(page)).toHaveValue('2.5');
    await go('Server');
    await expect(page.getByRole('button', { name: 'Save: Second header for the key' })).toHaveCount(0);
  });
});

test('a port waits for the next start, and is what that listens on', async ({ page, app, enter }) => {
  await app.services.settingsService.change({ extraKeyHeader: 'x-first' });
  await enter('/settings');
  const header = page.getByRole('textbox', { name: 'Second header for the key' });
  await expect(header).toHaveValue('x-first');
  await header.fill('not a name!');
  await header.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('A header name has letters, digits and “-”, 64 at most.');
  await header.fill('X-Other-Key');
  await page.getByRole('button', { name: 'Save: Second header for the key' }).click();
  await expect(header).toHaveValue('x-other-key');
  const path = '/api/v1/workflows/echo/runs/x/async/status';
  const answer = await app.call(path, { key: null, headers: { 'x-other-key': app.key } });
  expect(answer.status).toBe(404);
});

test('the size of runs and their share of the machine are settings, checked before they are sent', async ({
  page,
}) => {
  await withFreeSettings(page, '/settings/resources', async (app) => {
    const field = (name: string) => page.getByRole('textbox', { name });
    const save = async (name: string, text: string) => {
      await field(name).fill(text);
      await field(name).press('Enter');
    };
    await save('Rows per run', '0');
    await expect(page.getByRole('alert')).toHaveText('Enter a number from 1 to 100,000,000.');
    await save('Rows per run', '2.5');
    await expect(page.getByRole('alert')).toHaveText('Enter a whole number.');
    await save('Rows per run', '2');
    await expect(messages(page)).toContainText('Rows per run: 2');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await save('Request size, in MB', '0.5');
    await save('Runs at the same time', '3');
    await save('Computing time per node, in seconds', '2.5');
    await save('Memory per worker, in MB', '512');
    await expect(page.getByText('Saved. Restart Rowbench to apply it.')).toHaveCount(2);
    expect(await stored(app)).toMatchObject({
      maxRows: 2,
      maxBodyBytes: 500_000,
      runsAtOnce: 3,
      rowTimeLimitMs: 2500,
      workerMemoryMb: 512,
    });
    const rows = JSON.stringify({ rows: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    expect((await app.trigger('echo', rows)).status).toBe(413);
    await save('Rows per run', '');
    await expect(field('Rows per run')).toHaveValue('1000000');
  });
});

test('further addresses of the server are a list of hosts with ports', async ({ page }) => {
  await withFreeSettings(page, '/settings', async (app) => {
    const hosts = page.getByRole('textbox', { name: 'Further addresses' });
    await hosts.fill('box');
    await hosts.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Expected host:port');
    await hosts.fill('Box:4170 host.docker.internal:4170');
    await hosts.press('Enter');
    await expect(hosts).toHaveValue('box:4170, host.docker.internal:4170');
    expect((await stored(app)).allowedHosts).toEqual(['box:4170', 'host.docker.internal:4170']);
  });
});

test('scenarios are chosen for a workflow, and allowed by header', async ({ page }) => {
  await withFreeSettings(page, '/settings/scenarios', async (app) => {
    const echo = page.getByRole('listitem').filter({ hasText: 'echo' });
    await expect(echo).toContainText('None');
    await page.getByRole('button', { name: 'Change the scenario of echo' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Scenario of echo' });
    await dialog.getByRole('checkbox', { name: 'One row fails' }).press('Space');
    await expect(dialog.getByRole('spinbutton', { name: 'One row fails: number' })).toHaveValue('1');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(messages(page)).toContainText('Scenario saved for new runs of echo');
    await expect(echo).toContainText('One row fails: 1');
    const runId = await app.run('echo', [{ n: 1 }]);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('failed');
    await page.getByRole('switch', { name: 'Scripts may ask for one' }).press('Space');
    await expect(page.getByRole('switch', { name: 'Scripts may ask for one' })).toBeChecked();
    const scenarios = async () => (await stored(app)).scenarios;
    await expect.poll(scenarios).toEqual({ header: true, workflows: { echo: 'fail-row=1' } });
  });
});

test('a stored scenario that the menu does not have is shown and kept', async ({ page }) => {
  await withFreeSettings(page, '/settings/scenarios', async (app) => {
    const workflows = async () => (await stored(app)).scenarios?.workflows;
    const scenarios = { header: false, workflows: { echo: '429 storm, queued-for=10s' } };
    await app.handlers['settings.change']({ scenarios });
    const echo = page.getByRole('listitem').filter({ hasText: 'echo' });
    await expect(echo).toContainText(
      'Service answers 429: 30 % of calls, Polling client gets 429: 30 % of calls, queued-for=10s',
    );
    await page.getByRole('button', { name: 'Change the scenario of echo' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Also: queued-for=10s');
    await dialog.getByRole('spinbutton', { name: 'Polling client gets 429: number' }).fill('120');
    await dialog.getByRole('checkbox', { name: 'Each row is slow' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(workflows).toEqual({ echo: 'queued-for=10s,slow=200ms,api-429=1,upstream-429=0.3' });
    await page.getByRole('button', { name: 'Change the scenario of echo' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    for (const name of ['Each row is slow', 'Polling client gets 429', 'Service answers 429'])
      await dialog.getByRole('checkbox', { name }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(messages(page)).toContainText('Scenario removed from echo');
    expect(await workflows()).toEqual({});
  });
});

test('networks are granted to a workflow, and the grant is taken back', async ({ page, app, enter }) => {
  await enter('/settings/network');
  const quick = page.getByRole('group', { name: 'echo may reach' });
  await quick.getByRole('switch', { name: 'This machine' }).press('Enter');
  await expect(quick.getByRole('switch', { name: 'This machine' })).toBeChecked();
  const network = async () => (await app.handlers['workflow.show']({ workflowId: 'echo' })).network;
  await expect.poll(network).toEqual(['public', 'loopback']);
  await messages(page).getByRole('button', { name: 'Undo' }).click();
  await expect(quick.getByRole('switch', { name: 'This machine' })).not.toBeChecked();
  expect(await network()).toEqual(['public']);
});

test('a secret goes in once and never comes out', async ({ page, app, enter }) => {
  const sent: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/call/')) void response.text().then((text) => sent.push(text));
  });
  await enter('/settings/secrets');
  await page.getByRole('button', { name: 'Add a secret' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('crm');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('A name has capital letters');
  await page.getByRole('textbox', { name: 'Name' }).fill('CRM_TOKEN');
  await page.getByRole('textbox', { name: 'Sent only to' }).fill('https://api.example.com');
  const value = page.getByLabel('Value');
  await expect(value).toHaveAttribute('type', 'password');
  await value.fill('a-very-secret-value');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Name hosts alone');
  await page.getByRole('textbox', { name: 'Sent only to' }).fill('api.example.com, localhost:9000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /CRM_TOKEN/ })).toContainText('api.example.com, localhost:9000');
  expect((await app.services.secrets.find('CRM_TOKEN'))?.value).toBe('a-very-secret-value');

  await page.getByRole('button', { name: 'Replace CRM_TOKEN' }).click();
  await expect(page.getByLabel('Value')).toHaveValue('');
  await page.getByLabel('Value').fill('another-secret-value');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(messages(page)).toContainText('CRM_TOKEN is stored');
  await expect
    .poll(async () => (await app.services.secrets.find('CRM_TOKEN'))?.value)
    .toBe('another-secret-value');
  expect(await page.content()).not.toMatch(/secret-value/);
  expect(sent.join()).not.toMatch(/secret-value/);

  await page.getByRole('button', { name: 'Remove CRM_TOKEN' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove secret' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'No secrets yet' })).toBeVisible();
});

test('a secret that a workflow names and that is missing is added by keyboard', async ({
  page,
  app,
  enter,
}) => {
  await writeFile(
    join(app.dataDir, 'workflows', 'enrich.workflow.yaml'),
    `rowbench: 1
id: enrich
name: Enrich contacts
nodes:
  - { id: input, type: input }
  - { id: crm, type: http, request: { url: "https://crm.example.com/x" }, auth: { secret: CRM_TOKEN } }
  - { id: result, type: output, fields: { a: "=nodes.crm.body" } }
`,
  );
  await enter('/settings/secrets');
  const missing = page.getByRole('list', { name: 'Missing secrets' });
  await expect(missing).toContainText('Missing: CRM_TOKEN (Enrich contacts)');
  expect(await barriersInBothThemes(page)).toEqual([]);
  await resize(page, 700);
  expect(await barriers(page)).toEqual([]);
  await missing.getByRole('button', { name: 'Add CRM_TOKEN' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('CRM_TOKEN');
  await expect(page.getByRole('textbox', { name: 'Sent only to' })).toHaveValue('crm.example.com');
  await expect(page.getByLabel('Value')).toBeFocused();
  await page.keyboard.type('12345678');
  await page.keyboard.press('Enter');
  await expect(missing).toBeHidden();
  await expect(page.getByRole('row', { name: /CRM_TOKEN/ })).toContainText('crm.example.com');
  // Both landmarks have names of their own.
  await expect(page.getByRole('region', { name: 'Secrets', exact: true })).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Stored secrets' })).toBeVisible();
});

const ended = (n: number, days: number) => {
  const at = new Date(Date.now() - days * 86_400_000).toISOString();
  const runId = `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const times = { acceptedAt: at, startedAt: at, finishedAt: at };
  const counts = { rowsDone: 3, rowsFailed: 0 };
  return { ...queuedRun(), ...times, runId, status: 'completed', counts } as const;
};

test('what is typed while retention asks is neither saved unasked nor lost', async ({ page }) => {
  const use = async (app: TestApp) => {
    const asking = await holdAnswer(page, callOf('settings.retention'));
    const days = daysField(page);
    await days.fill('15');
    await days.press('Enter');
    await asking.isBlocked;
    await days.fill('5');
    await asking.free();
    await page
      .getByRole('dialog', { name: 'Remove 1 run now?' })
      .getByRole('button', { name: 'Save and remove' })
      .click();
    await expect(page.getByRole('dialog')).toBeHidden();
    expect((await stored(app)).retention).toMatchObject({ days: 15 });
    await expect.poll(async () => (await app.handlers['run.list']({ limit: 50 })).length).toBe(2);
    await expect(days).toHaveValue('5');
    await expect(page.getByText('Would remove 1 run now')).toBeVisible();
  };
  await withFreeSettings(page, '/settings/retention', use, {
    runs: [ended(1, 20), ended(2, 10), ended(3, 1)],
  });
});

test('the preview of retention follows the runs that grow old meanwhile', async ({ page }) => {
  const clock = new LeapingClock();
  const use = async (app: TestApp) => {
    await app.run('echo', [{}]);
    await daysField(page).fill('1');
    await expect(page.getByText('Would remove nothing now.')).toBeVisible();
    clock.leap(overADay);
    await app.run('echo', [{}]);
    await expect(page.getByText('Would remove 1 run now')).toBeVisible();
  };
  await withFreeSettings(page, '/settings/retention', use, { clock });
});

test('retention says what it would remove, asks, and removes no more than that', async ({ page }) => {
  const runs = [ended(1, 20), ended(2, 10), ended(3, 1)];
  const use = async (app: TestApp) => {
    const left = async () => (await app.handlers['run.list']({ limit: 50 })).length;
    await expect.poll(left).toBe(3);
    await daysField(page).fill('7');
    await expect(page.getByText('Would remove 2 runs now')).toBeVisible();
    await daysField(page).press('Enter');
    await expect(page.getByRole('dialog', { name: 'Remove 2 runs now?' })).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await left()).toBe(3);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save and remove' }).click();
    await expect.poll(left).toBe(1);
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(messages(page)).toContainText('Finished runs are kept for 7 days, the store below 5 GB');
    await sizeField(page).fill('2,000.5');
    await expect(page.getByText('Would remove nothing now.')).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await stored(app)).retention).toEqual({ days: 7, gigabytes: 2000.5 });
    await expect(sizeField(page)).toHaveValue('2000.5');
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  };
  await withFreeSettings(page, '/settings/retention', use, { runs });
});

test('an invalid limit of retention is named at its field and not saved', async ({ page }) => {
  const use = async (app: TestApp) => {
    const problem = page.getByRole('main').getByRole('alert');
    await daysField(page).fill('1.5');
    await expect(problem).toHaveCount(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(problem).toHaveText('Enter a whole number from 1 to 36,500.');
    await expect(daysField(page)).toBeFocused();
    await expect(daysField(page)).toHaveAccessibleDescription(/^days .* 36,500\.$/);
    expect(await barriers(page)).toEqual([]);
    await daysField(page).fill('8');
    await expect(problem).toHaveCount(0);
    await sizeField(page).fill('2,5');
    await sizeField(page).press('Enter');
    await expect(problem).toHaveText('Enter a number from 0.1 to 100,000.');
    await expect(sizeField(page)).toBeFocused();
    expect((await stored(app)).retention).toBeUndefined();
    await sizeField(page).fill('0.1');
    await sizeField(page).press('Enter');
    await expect.poll(async () => (await stored(app)).retention).toEqual({ days: 8, gigabytes: 0.1 });
    await expect(problem).toHaveCount(0);
  };
  await withFreeSettings(page, '/settings/retention', use, { settings: {} });
});

test('fixed settings, the folder with its size, the version and every licence are shown without a network', async ({
  page,
  app,
  enter,
}) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url)) elsewhere.push(request.url());
  });
  await enter('/settings');
  const go = (section: string) =>
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click();
  await expect(page.getByRole('textbox', { name: 'Port' })).toBeDisabled();
  await expect(page.getByText('Set by --port for this start, not changeable here.')).toBeVisible();
  await go('Limits');
  await expect(page.getByText('Set by --limits for this start, not changeable here.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Off' })).toBeDisabled();
  await go('Retention');
  await expect(sizeField(page)).toHaveAccessibleDescription(
    /^GB The data folder takes \d+(\.\d)? (B|KB|MB) now\.$/,
  );
  await go('Data folder');
  await expect(page.getByRole('region', { name: 'Path of the data folder' })).toHaveText(app.dataDir);
  await expect(page.getByText(/^\d+(\.\d)? (B|KB|MB)$/)).toBeVisible();
  await go('About');
  await expect(page.getByRole('main').getByText(app.url, { exact: true })).toBeVisible();
  await page.getByText('svelte', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Licence of svelte' })).toContainText('MIT');
  for (const name of ['koa', 'ses', '@fontsource-variable/inter'])
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  expect(elsewhere).toEqual([]);
});

test('no part of the settings has a barrier, or is cut off sideways at 320 px', async ({
  page,
  app,
  enter,
  problems,
}) => {
  await app.services.secrets.set({ name: 'TOKEN', value: '12345678', hosts: ['example.com'] });
  await enter('/settings');
  for (const part of sectionsOf(false).map((section) => sectionTitles[section])) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click();
    await expect(page.getByRole('heading', { name: part, level: 2 })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    expect(await barriersInBothThemes(page), part).toEqual([]);
    await resize(page, 320, 600);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), part).toBeLessThanOrEqual(320);
    await resize(page, 1280);
  }
  expect(problems).toEqual([]);
});
