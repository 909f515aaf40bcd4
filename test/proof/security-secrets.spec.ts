// After a session with everything in it (keys made, used, misused and revoked, secrets sent to services that write them
// down, calls that fail, recordings, traces, exports), no file, log or answer holds any of the values, in any form.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { foundIn, needlesOf } from '../builders/forms-of-secret.ts';
import { runCliProcess } from '../builders/run-cli.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { workflowPath } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import {
  json,
  redirectTo,
  reset,
  startUpstream,
  type UpstreamAnswerer,
} from '../builders/upstream-server.ts';
import { report } from './length.ts';

const secretValue = 'tok/"3n"+that <nobody> & knows=0123456789';
const secretOfFile = 'hush-hush-of-the-command-line-4711';

/** Every way in which a service might write down what it was sent. */
const echo =
  (status: number): UpstreamAnswerer =>
  (call, response) => {
    const sent = String(call.headers['x-api-key'] ?? call.headers.authorization).replace('Bearer ', '');
    const all = {
      plain: sent,
      base64: Buffer.from(sent).toString('base64'),
      basic: Buffer.from(`user:${sent}`).toString('base64'),
      url: encodeURIComponent(sent),
      json: JSON.stringify(JSON.stringify(sent)),
    };
    json(all, status, { 'x-echo': sent })(call, response);
  };

const workflow = (url: string): string => `rowbench: 1
id: calls
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: service
    type: http
    request: { url: "${url}/{{ row.path.slice(1) }}", query: { q: "=row.path" } }
    auth: { secret: TOKEN }
    retry: { attempts: 2, delay: 1ms }
  - { id: log, type: code, code: "console.log(nodes.service); return 1;" }
  - { id: result, type: output, after: log, fields: { body: "=nodes.service.body", headers: "=nodes.service.headers" } }
`;

const paths = ['/echo', '/fail', '/redirect', '/reset', '/wrong'];

async function filesOf(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    names.map(async (name) => [name.slice(folder.length), await readFile(name, 'latin1')] as const),
  );
}

/** The key where it belongs, and everywhere where it does not. */
async function misuse(server: ServerProcess, key: string): Promise<string[]> {
  const path = workflowPath('calls');
  const calls: readonly (readonly [string, RequestInit])[] = [
    [path, { method: 'POST', headers: { 'x-service-key': `${key}x` }, body: '{}' }],
    [path, { method: 'POST', headers: { 'x-service-key': `${key}, ${key}` } }],
    [path, { method: 'POST', headers: { authorization: `Bearer ${key}` } }],
    [path, { method: 'POST', headers: { authorization: `Basic ${btoa(`user:${key}`)}` } }],
    [path, { method: 'POST', headers: { cookie: `x-service-key=${key}` } }],
    [`${path}?x-service-key=${encodeURIComponent(key)}`, { method: 'POST' }],
    [
      path,
      { method: 'POST', headers: { 'x-service-key': key, 'user-agent': key, 'x-mine': key }, body: '{' },
    ],
    [path, { method: 'POST', headers: { 'x-service-key': key }, body: JSON.stringify({ key, rows: key }) }],
    [workflowPath(key), { method: 'POST', headers: { 'x-service-key': key } }],
    [`/api/v1/workflows/calls/runs/${key}/async/status`, { headers: { 'x-service-key': key } }],
    [path, { method: 'POST', headers: { 'x-service-key': key, 'x-rowbench-scenario': key } }],
  ];
  const texts: string[] = [];
  for (const [at, init] of calls) {
    const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) };
    texts.push(await (await fetch(`${server.url}${at}`, { ...init, headers })).text());
  }
  return texts;
}

/** Answers of the control API that the app's pages show and save, as texts. */
async function exported(server: ServerProcess, token: string, runId: string): Promise<string[]> {
  const ask = async (name: string, input: object): Promise<string> => {
    const response = await fetch(`${server.url}/_rowbench/v1/call/${name}`, {
      method: 'POST',
      headers: { 'x-rowbench-token': token, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    expect([name, response.status, text.slice(0, 200)]).toEqual([name, 200, expect.any(String)]);
    return text;
  };
  const list = await ask('calls.list', { limit: 1000 });
  const numbers = (JSON.parse(list) as { data: { calls: { number: number }[] } }).data.calls.map(
    ({ number }) => number,
  );
  expect(numbers.length).toBeGreaterThan(10);
  const texts = [list, await ask('calls.har', { numbers })];
  for (const number of numbers) texts.push(await ask('calls.show', { number }));
  for (const name of [
    'calls.advice',
    'key.list',
    'secret.list',
    'settings.show',
    'workflow.list',
    'browser.list',
    'run.list',
  ])
    texts.push(await ask(name, {}));
  for (const name of ['run.show', 'run.nodes']) texts.push(await ask(name, { runId }));
  for (let row = 1; row <= paths.length; row += 1) {
    texts.push(await ask('run.trace', { runId, row }));
    texts.push(await ask('run.traceRow', { runId, row }));
  }
  return texts;
}

/** Pairs a browser, as a page does with the link that `rowbench open` prints. */
async function pairBrowser(server: ServerProcess, link: string) {
  const response = await fetch(`${server.url}/_rowbench/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
    body: JSON.stringify({ code: link.trim().split('#code=')[1] }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: { secret: string; token: string } }).data;
}

it('no file, log, export or answer holds a key, a secret or the token', { timeout: 180_000 }, async () => {
  const upstream = await startUpstream({
    '/echo': echo(200),
    '/fail': echo(500),
    '/redirect': (call, response) =>
      redirectTo(`/echo?was=${encodeURIComponent(String(call.headers.authorization))}`)(call, response),
    '/reset': reset,
    '/wrong': echo(404),
  });
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  await writeFile(join(folder, 'calls.workflow.yaml'), workflow(upstream.url('')));
  const server = await startServerProcess({ dataDir, workflows: folder });
  onTestFinished(() => server.kill());
  const host = `127.0.0.1:${upstream.port}`;
  const texts: string[] = [];
  const cli = async (args: readonly string[], stdin?: string, env = {}): Promise<string> => {
    const { stdout, stderr } = await runCliProcess(args, {
      env: { ROWBENCH_DATA: dataDir, ...env },
      stdin,
      cwd: folder,
    });
    texts.push(stderr);
    return stdout;
  };

  // A session.
  texts.push(await cli(['secrets', 'set', 'TOKEN', '--host', host, '--json'], `${secretValue}\n`));
  texts.push(await cli(['grants', 'allow', 'calls', 'loopback']));
  type Created = { readonly key: { readonly id: string }; readonly secret: string };
  const made = async (): Promise<Created> =>
    JSON.parse(await cli(['keys', 'create', '--name', 'mine', '--json'])) as Created;
  const [active, revoked] = [await made(), await made()];
  expect(active.secret).toMatch(/^rbk_/);
  const { controlToken } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as {
    controlToken: string;
  };
  const runId = await trigger(
    server.url,
    'calls',
    paths.map((path) => ({ path })),
  );
  expect((await finalStatus(server.url, { workflowId: 'calls', runId }, 60_000)).status).toBe('completed');
  texts.push(JSON.stringify(await outputOf(server.url, 'calls', runId)));
  texts.push(...(await misuse(server, active.secret)), ...(await misuse(server, revoked.secret)));
  texts.push(await cli(['keys', 'revoke', revoked.key.id]), ...(await misuse(server, revoked.secret)));
  const browser = await pairBrowser(server, await cli(['open', '--no-browser']));
  for (const own of [browser.secret, browser.token]) texts.push(...(await misuse(server, own)));
  texts.push(...(await exported(server, browser.token, runId)));
  texts.push(...(await misuse(server, controlToken)), ...(await exported(server, controlToken, runId)));
  for (const args of [
    ['runs', 'show', runId, '--json'],
    ['runs', 'list', '--json'],
    ['keys', 'list', '--json'],
  ])
    texts.push(await cli(args));
  await writeFile(join(folder, 'rows.json'), JSON.stringify(paths.map((path) => ({ path }))));
  const recorded = [
    'run',
    'calls.workflow.yaml',
    '--rows',
    'rows.json',
    '--record',
    '--allow-network',
    'loopback',
  ];
  const env = { ROWBENCH_SECRET_TOKEN: secretOfFile, ROWBENCH_SECRET_TOKEN_HOST: host };
  texts.push(await cli(recorded, undefined, { ...env, ROWBENCH_DATA: join(folder, 'other') }));
  await server.stop();

  // What is left of it.
  const files = await filesOf(folder);
  expect(files.map(([name]) => name)).toContain('/calls.cassette.json');
  const everything = [
    ...files,
    ...texts.map((text) => ['an answer', text] as const),
    ['log', server.stderr()] as const,
  ];
  expect(everything.some(([, text]) => text.includes('[secret TOKEN]'))).toBe(true);
  // They were sent, and could have been written down.
  for (const value of [secretValue, secretOfFile])
    expect(upstream.calls.some(({ headers }) => headers.authorization === `Bearer ${value}`)).toBe(true);
  const secrets = {
    secretValue,
    secretOfFile,
    kept: active.secret,
    revoked: revoked.secret,
    testKey,
    controlToken,
    pairingSecret: browser.secret,
    browserToken: browser.token,
  };
  let needles = 0;
  for (const [name, secret] of Object.entries(secrets)) {
    const all = needlesOf(secret);
    needles += all.length;
    for (const [source, text] of everything)
      expect(foundIn(text, all).map(({ form }) => `${name} as ${form} in ${source}`)).toEqual([]);
  }
  const bytes = everything.reduce((sum, [, text]) => sum + text.length, 0);
  report(
    `${Object.keys(secrets).length} secrets, ${needles} forms and pieces of them, looked for in ${files.length} files and ` +
      `${texts.length} answers (${Math.round(bytes / 1000)} KB): none found`,
  );
});

it('a piece in any form would be found', () => {
  const secret = 'rbk_Zm9vYmFyLWJhel9xdXV4LTEyMzQ1Njc4OTA';
  const piece = secret.slice(9, 25);
  const needles = needlesOf(secret);
  const planted = [
    piece,
    [...piece].reverse().join(''),
    Buffer.from(`Basic user:${piece}`).toString('base64'),
    Buffer.from(`xy${piece}`).toString('base64url'),
    Buffer.from(piece).toString('hex'),
    [...piece].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    [...piece].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(''),
    Buffer.from(piece, 'utf16le').toString('latin1'),
  ];
  for (const text of planted) expect(foundIn(`{"a":"${text}"}`, needles).length, text).toBeGreaterThan(0);
  expect(foundIn('{"a":"rbk_…OTA","b":"nothing of it"}', needles)).toEqual([]);
});
