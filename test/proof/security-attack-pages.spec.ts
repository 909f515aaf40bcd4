// Pages that attack, in a real browser: one that has its name point to this machine after it was loaded (DNS
// rebinding), one on another port, one of another site. Each tries everything that a page can send, with the right key,
// token and pairing secret where a page can set headers. Nothing of the server's may be readable there, and nothing may change.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { having, openDoor, plants, without, type Plant } from '../builders/open-door.ts';
import { outputPath, sampleWorkflows, startTestApp, type TestApp } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { report } from './length.ts';

const script = join(import.meta.dirname, '../fixtures/attack-page.js');
const marker = 'only-for-those-who-may-read';
const asset = '/assets/index-Bn3mMrZM.js';

let browser: Browser;

beforeAll(async () => {
  const installed = findBrowser();
  browser = await chromium.launch({
    ...(installed === undefined ? {} : { executablePath: installed }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      // Recent browsers ask before a page may call this machine; the server must not need that.
      '--disable-features=LocalNetworkAccessChecks',
    ],
  });
}, 60_000);

afterAll(() => browser.close());

type Victim = { readonly app: TestApp; readonly runId: string };

async function startVictim(): Promise<Victim> {
  const pagesFolder = join(await temporaryFolder(), 'pages');
  const files = {
    'index.html': `<!doctype html>${marker}`,
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    'assets/index-Bn3mMrZM.js': `globalThis.read = '${marker}';`,
    'assets/style-Bn3mMrZM.css': ':root { --read: yes }',
  };
  await mkdir(join(pagesFolder, 'assets'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(pagesFolder, name), text);
  const app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, limits: 'off', pagesFolder });
  onTestFinished(() => app.close());
  const runId = await app.run('echo', [{ marker }]);
  await expect
    .poll(async () => (await app.call(outputPath('echo', runId))).status, { timeout: 20_000 })
    .toBe(200);
  return { app, runId };
}

type Aim = {
  /** Origin of the page that attacks. */
  readonly from: string;
  /** Origin that the page attacks. */
  readonly target: string;
};

/** The page is served as if by its owner; whatever it asks afterwards goes out into the network. */
async function openPage(from: string): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const text = await readFile(script, 'utf8');
  await page.route(`${from}/attack`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><body><script>${text}</script>` }),
  );
  await page.goto(`${from}/attack`);
  return page;
}

/** Texts that the page could read of the server, by attempt. The server's exact refusals do not count. */
async function attack({ app, runId }: Victim, { from, target }: Aim): Promise<Record<string, string>> {
  const page = await openPage(from);
  const { secret } = await app.services.browsers.pair(undefined);
  const input = { target, key: app.key, token: app.control.token, secret, workflowId: 'echo', runId, asset };
  const seen = await page.evaluate<Record<string, string>>(`attack(${JSON.stringify(input)})`);
  expect(Object.keys(seen).length).toBeGreaterThan(50);
  return Object.fromEntries(Object.entries(seen).filter(([, text]) => text !== '' && !isRefusal(text)));
}

const isRefusal = (text: string): boolean =>
  [
    'The Host header does not name this server. The setting "allowedHosts" allows further names',
    'Requests from other sites are refused',
    'Requests from other origins are refused',
  ].some((error) => text === JSON.stringify({ success: false, error }));

/** State that an attack could change: run ids, key ids and settings. */
async function stateOf({ app }: Victim): Promise<unknown> {
  const keys = await app.handlers['key.list']({});
  const runs = [...(await app.storedRuns())].sort();
  return { runs, keys: keys.map(({ id }) => id), settings: await app.handlers['settings.show']({}) };
}

/** Calls to the interface that arrived, by status. */
async function arrived({ app }: Victim): Promise<Record<number, number>> {
  const { calls } = await app.handlers['calls.list']({ limit: 1000 });
  const counts: Record<number, number> = {};
  for (const { status } of calls) counts[status ?? 0] = (counts[status ?? 0] ?? 0) + 1;
  return counts;
}

const aims: readonly (readonly [string, (port: number) => Aim])[] = [
  [
    'whose name points here since it was loaded',
    (port) => ({ from: `http://attacker.test:${port}`, target: `http://attacker.test:${port}` }),
  ],
  [
    'on another port of this machine',
    (port) => ({ from: 'http://127.0.0.1:9', target: `http://127.0.0.1:${port}` }),
  ],
  [
    'on another port of localhost',
    (port) => ({ from: 'http://localhost:9', target: `http://localhost:${port}` }),
  ],
  ['of another site', (port) => ({ from: 'http://evil.test', target: `http://127.0.0.1:${port}` })],
  ['of another site, by name', (port) => ({ from: 'http://evil.test', target: `http://localhost:${port}` })],
  ['of another site, by IPv6', (port) => ({ from: 'http://evil.test', target: `http://[::1]:${port}` })],
];

let attempts = 0;

it.each(aims)('a page %s reads nothing and changes nothing', { timeout: 60_000 }, async (name, aim) => {
  const victim = await startVictim();
  const before = await stateOf(victim);
  const logged = await arrived(victim);
  expect(await attack(victim, aim(victim.app.port))).toEqual({});
  expect(await stateOf(victim)).toEqual(before);
  const counts = await arrived(victim);
  // Attacks that never arrive would show nothing of the server.
  expect(counts[403]).toBeGreaterThan(5);
  const others = Object.keys(counts).filter((status) => status !== '403');
  for (const status of others)
    expect(counts[Number(status)], `${name}: ${status}`).toBe(logged[Number(status)]);
  attempts += counts[403] ?? 0;
});

afterAll(() => {
  report(`${aims.length} attacking pages, ${attempts} of their calls arrived: 0 bytes read, 0 changes`);
});

const rightHost =
  (port: number): Plant =>
  (passed) =>
    having('Host', `127.0.0.1:${port}`)(passed);

it('a server that does not look at the Host is found', { timeout: 60_000 }, async () => {
  const victim = await startVictim();
  const door = await openDoor(victim.app.port, plants(rightHost(victim.app.port), without('origin')));
  const origin = `http://attacker.test:${door}`;
  const read = await attack(victim, { from: origin, target: origin });
  expect(read['fetch with the key']).toContain(marker);
  expect(read['fetch of the page']).toContain(marker);
  expect(read['control, with the token']).toContain('"success":true');
});

it('a server that does not look at site, origin and key is found', { timeout: 60_000 }, async () => {
  const victim = await startVictim();
  const before = await stateOf(victim);
  const { port, key } = victim.app;
  const plant = plants(
    rightHost(port),
    without('origin', 'sec-fetch-site'),
    having('x-service-key', key),
    having('content-type', 'application/json'),
  );
  const door = await openDoor(port, plant);
  await attack(victim, { from: 'http://evil.test', target: `http://127.0.0.1:${door}` });
  expect(await stateOf(victim)).not.toEqual(before);
});
