// Raw bytes against the whole server: thousands of header sets, many on each connection. Some connections end with a
// broken request that hides a good one. The server serves no request that it must refuse, and it never breaks.
// ROWBENCH_PROOF=long sends many more, ROWBENCH_SEED sets the random sequence.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../src-main/base/log.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { answersIn, type PartedAnswer } from '../builders/answers-in.ts';
import { having, openDoor, plants, without, type Plant } from '../builders/open-door.ts';
import {
  brokenRequest,
  randomRequest,
  type Ground,
  type RandomRequest,
} from '../builders/random-requests.ts';
import { RawConnection, rawCall } from '../builders/raw-http.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { startServerProcess, testKey } from '../builders/server-process.ts';
import { rawGet } from '../builders/small-server.ts';
import { outputPath, sampleWorkflows, startTestApp, type TestApp } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, timeoutMs, report } from './length.ts';

const headerSets = isLong ? 100_000 : 2000;
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);
const connectionsAtOnce = 24;

/** A text that is in everything readable: in an output, in a key's name and in the pages. */
const marker = 'only-for-those-who-may-read';

type Figures = {
  sent: number;
  connections: number;
  served: number;
  refused: number;
  /** Runs that the requests started: answers with status 201. */
  triggered: number;
  readonly faults: string[];
};

async function start(log: Log): Promise<{ app: TestApp; ground: Ground }> {
  const pagesFolder = join(await temporaryFolder(), 'pages');
  await mkdir(join(pagesFolder, 'assets'), { recursive: true });
  await writeFile(join(pagesFolder, 'index.html'), `<!doctype html>${marker}`);
  await writeFile(join(pagesFolder, 'assets', 'index-Bn3mMrZM.js'), `'${marker}';`);
  const app = await startTestApp({
    workflows: { echo: sampleWorkflows.echo },
    limits: 'off',
    pagesFolder,
    log,
    settings: { retention: { days: 30, gigabytes: 5 } },
  });
  onTestFinished(() => app.close());
  await app.services.keys.create({ name: marker, workflows: null });
  const runId = await app.run('echo', [{ marker }]);
  await expect.poll(async () => (await app.call(outputPath('echo', runId))).status).toBe(200);
  const { port, key, control } = app;
  const credentials = {
    key,
    token: control.token,
    workflowId: 'echo',
    runId,
    asset: '/assets/index-Bn3mMrZM.js',
  };
  return { app, ground: { port, random: seededRandom(seed), ...credentials } };
}

/** Some whole requests, sometimes a broken one behind them, and the last one says that it is. */
function batch(ground: Ground, brokenShare: number): RandomRequest[] {
  const requests: RandomRequest[] = [];
  const maxRequests = 1 + Math.floor(ground.random() * 16);
  while (requests.length < maxRequests && requests.every(({ mayBeFollowed }) => mayBeFollowed))
    requests.push(randomRequest(ground));
  if (requests.every(({ mayBeFollowed }) => mayBeFollowed))
    requests.push(lastOf(ground, ground.random() < brokenShare));
  return requests;
}

function lastOf(ground: Ground, isBroken: boolean): RandomRequest {
  if (isBroken) return brokenRequest(ground);
  const bytes = `GET /last HTTP/1.1\r\nHost: 127.0.0.1:${ground.port}\r\nConnection: close\r\n\r\n`;
  return { method: 'GET', bytes, isWelcome: false, triggers: false, mayBeFollowed: false };
}

function checkAnswer(request: RandomRequest, { status, text }: PartedAnswer, figures: Figures): void {
  const isServed = status < 400 || text.includes('"success":true') || text.includes(marker);
  if (status >= 500) figures.faults.push(`${status}: ${request.bytes.slice(0, 400)}`);
  if (isServed && !request.isWelcome) figures.faults.push(`served: ${request.bytes.slice(0, 400)}`);
  if (/^(access-control-|set-cookie)/im.test(text)) figures.faults.push(`headers: ${text.slice(0, 400)}`);
  if (isServed) figures.served += 1;
  else figures.refused += 1;
  if (status === 201) figures.triggered += 1;
}

async function send(port: number, requests: readonly RandomRequest[], figures: Figures): Promise<void> {
  const connection = await RawConnection.open(port);
  connection.send(requests.map(({ bytes }) => bytes).join(''));
  const received = await connection.closed();
  figures.connections += 1;
  const answers = answersIn(
    received,
    requests.map(({ method }) => method),
  );
  for (const [index, answer] of answers.entries()) {
    const request = requests[index];
    if (request !== undefined) checkAnswer(request, answer, figures);
    // Behind the end of a connection only its end may be said once more.
    else if (answer.status !== 400) figures.faults.push(`an answer too many: ${answer.text.slice(0, 400)}`);
  }
  figures.sent += answers.length;
  if (answers.length < requests.length && answers.at(-1)?.isLast !== true)
    figures.faults.push(`no answer: ${requests[answers.length]?.bytes.slice(0, 400)}`);
}

async function fuzz(ground: Ground, count: number, brokenShare = 0.5): Promise<Figures> {
  const figures: Figures = { sent: 0, connections: 0, served: 0, refused: 0, triggered: 0, faults: [] };
  const client = async (): Promise<void> => {
    while (figures.sent < count) await send(ground.port, batch(ground, brokenShare), figures);
  };
  await Promise.all(Array.from({ length: connectionsAtOnce }, client));
  return figures;
}

const brokenOff = isLong ? 20_000 : 500;

it(
  `outlives ${brokenOff} connections that are broken off anywhere`,
  { timeout: timeoutMs(120_000) },
  async () => {
    const server = await startServerProcess({ dataDir: await temporaryFolder() });
    const port = Number(new URL(server.url).port);
    const random = seededRandom(seed);
    const credentials = {
      key: testKey,
      token: 'none',
      workflowId: 'echo',
      runId: 'none',
      asset: '/assets/none.js',
    };
    let sent = 0;
    const client = async (): Promise<void> => {
      for (; sent < brokenOff; sent += 1) await breakOff({ port, random, ...credentials });
    };
    await Promise.all(Array.from({ length: connectionsAtOnce }, client));
    expect((await rawCall(port, rawGet(port, '/openapi.json')))?.status).toBe(200);
    expect([server.process.exitCode, server.stderr()]).toEqual([null, '']);
    await server.stop();
    report(
      `${sent} connections broken off, by an end or a reset, before and after answers: the server is there`,
    );
  },
);

/** A part of some requests, a CONNECT now and then behind them; then it is over, at once or once there is an answer. */
async function breakOff(ground: Ground): Promise<void> {
  const { port, random } = ground;
  const connection = await RawConnection.open(port);
  const requests = batch(ground, 0.2).map(({ bytes }) => bytes);
  const connect = random() < 0.3 ? 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n' : '';
  const bytes = requests.slice(0, Math.floor(random() * 3)).join('') + connect;
  const end = random() < 0.5 ? bytes.length : Math.floor(random() * bytes.length);
  connection.send(bytes.slice(0, end));
  if (random() < 0.5 && connect !== '' && end === bytes.length) await connection.answer();
  else await setTimeout(random() * 4);
  if (random() < 0.5) connection.send('more');
  if (random() < 0.7) connection.reset();
  else connection.cut();
}

it(
  `no forbidden caller is served, over ${headerSets} header sets`,
  { timeout: timeoutMs(600_000) },
  async () => {
    const errors: unknown[] = [];
    const { app, ground } = await start({ ...silentLog, error: (fields) => void errors.push(fields) });
    const keysBefore = await app.handlers['key.list']({});
    const runsBefore = (await app.storedRuns()).length;
    const figures = await fuzz(ground, headerSets);
    expect(figures.faults.slice(0, 5)).toEqual([]);
    expect(errors).toEqual([]);
    // Random requests that are all refused, or all served, would show nothing.
    expect(figures.served).toBeGreaterThan(headerSets / 50);
    expect(figures.refused).toBeGreaterThan(headerSets / 2);
    expect((await app.storedRuns()).length).toBe(runsBefore + figures.triggered);
    const ids = (keys: typeof keysBefore): string[] => keys.map(({ id }) => id);
    expect(ids(await app.handlers['key.list']({}))).toEqual(ids(keysBefore));
    expect((await app.call(outputPath('echo', ground.runId))).status).toBe(200);
    report(
      `${figures.sent} header sets on ${figures.connections} connections: ${figures.served} served, ` +
        `${figures.refused} refused, 0 wrongly, 0 errors (seed ${seed})`,
    );
  },
);

const planted: readonly (readonly [string, (ground: Ground) => Plant, RegExp])[] = [
  [
    'the Host is not looked at',
    ({ port }) => having('Host', `127.0.0.1:${port}`),
    /^served: (?!.*\r\nhost: (127\.0\.0\.1|localhost|\[::1\]):\d+[ \t]*\r\n)/is,
  ],
  ['the Origin is not looked at', () => without('origin'), /^served: .*\r\norigin: /is],
  ['the site is not looked at', () => without('sec-fetch-site'), /^served: .*\r\nsec-fetch-site: /is],
  [
    'a route asks for no key',
    ({ key }) =>
      (passed) =>
        passed.path.endsWith('/status') ? having('x-service-key', key)(passed) : passed,
    /^served: .*\/status/is,
  ],
  ['a route breaks', () => (passed) => (passed.path === '/openapi.json' ? 500 : passed), /^500: /],
];

it.each(planted)('the rig notices when %s', { timeout: 60_000 }, async (_, plant, sign) => {
  const { ground } = await start(silentLog);
  // What is sent names the door; it is passed on to the server behind it.
  const behind = having('Host', `127.0.0.1:${ground.port}`);
  const toServer: Plant = (passed) => {
    const hosts = passed.headers.filter(([name]) => name.toLowerCase() === 'host');
    return hosts.length === 1 && hosts[0]?.[1].endsWith(`:${door}`) === true ? behind(passed) : passed;
  };
  const door: number = await openDoor(ground.port, plants(plant(ground), toServer));
  const through = { ...ground, port: door };
  let found = 0;
  for (let round = 0; found === 0 && round < 20; round += 1) {
    const { faults } = await fuzz(through, 100, 0);
    found = faults.filter((fault) => sign.test(fault)).length;
  }
  expect(found).toBeGreaterThan(0);
});
