import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SecretView } from '../../../src-main/contract/index.ts';
import { callApi, finalStatus, trigger } from '../../builders/api-client.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess, testKey } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { testBroker } from '../../builders/test-broker.ts';
import { json, startUpstream, type UpstreamAnswerer } from '../../builders/upstream-server.ts';

const value = 'tök/"3n"+that <nobody> & knows=';
const secret = (...hosts: string[]) => ({ name: 'TOKEN', value, hosts });

type Call = Parameters<UpstreamAnswerer>[0];

function sentSecret({ headers, url, body }: Call): string {
  const inQuery = new URLSearchParams(url.replace(/^[^?]*/, '')).get('key');
  const inBody = body === '' ? undefined : (JSON.parse(body) as { key: string }).key;
  return inQuery ?? inBody ?? String(headers['x-api-key'] ?? headers.authorization).replace('Bearer ', '');
}

/** Every way in which a service might write down what it was sent. */
const echo: UpstreamAnswerer = (call, response) => {
  const text = sentSecret(call);
  const all = {
    plain: text,
    base64: Buffer.from(text).toString('base64'),
    basic: Buffer.from(`user:${text}`).toString('base64'),
    url: encodeURIComponent(text),
  };
  json(all, 200, { 'x-echo': text })(call, response);
};

/** The part of a call that has the credential. */
const credentialIn = ({
  headers,
  url,
  body,
}: Pick<Parameters<UpstreamAnswerer>[0], 'headers' | 'url' | 'body'>) =>
  headers.authorization ?? headers['x-api-key'] ?? (body === '' ? url : body);

/** The credential as it was sent, and what a service reads from a login. */
const echoOfLogin: UpstreamAnswerer = (call, response) => {
  const header = String(credentialIn(call));
  const login = Buffer.from(header.split(' ')[1] ?? '', 'base64').toString();
  json({ header, login, password: login.split(':')[1] }, 200, { 'x-echo': header })(call, response);
};

const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

const formsOf = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString('base64'),
  Buffer.from(`user:${text}`).toString('base64'),
  Buffer.from(text).toString('hex'),
];

describe('a call with a secret', () => {
  it('carries it as a bearer token, or bare in another header, in place of what the author put there', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ secrets: [secret(`127.0.0.1:${upstream.port}`)] });
    const url = upstream.url('/');
    await ask({
      url,
      auth: { secret: 'TOKEN' },
      headers: [['authorization', 'mine']],
    });
    await ask({ url, auth: { secret: 'TOKEN', header: 'x-api-key' } });
    expect(upstream.calls.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).toEqual([
      `Bearer ${value}`,
      value,
    ]);
  });

  // The header authorization had "Bearer" before any value, so no other scheme could be sent.
  it.each(['authorization', 'Authorization', 'AUTHORIZATION'])(
    'carries it unchanged where the file names the header %s',
    async (header) => {
      const upstream = await startUpstream();
      const folder = await temporaryFolder();
      const auth = `auth: { secret: TOKEN, header: ${header} }, onError: { value: 1 }`;
      const text = `rowbench: 1
id: flow
nodes:
  - { id: in, type: input, testRows: [{}] }
  - { id: a, type: http, request: { url: "${upstream.url('/')}" }, ${auth} }
  - { id: b, type: llm, baseUrl: "${upstream.url('/v1')}", model: m, messages: [{ role: user, content: a }], ${auth} }
  - { id: out, type: output, fields: { a: =nodes.a.status, b: =nodes.b } }
`;
      await writeFile(join(folder, 'flow.workflow.yaml'), text);
      const env = {
        ROWBENCH_DATA: join(folder, 'data'),
        ROWBENCH_SECRET_TOKEN: 'Basic dXM6cGFzc3dvcmQ=',
        ROWBENCH_SECRET_TOKEN_HOST: `127.0.0.1:${upstream.port}`,
      };
      const run = ['run', 'flow.workflow.yaml', '--allow-network', 'loopback'];
      expect(await runCli(run, { cwd: folder, env })).toMatchObject({ code: 0 });
      expect(upstream.calls.map(({ headers }) => headers.authorization)).toEqual(
        Array(2).fill('Basic dXM6cGFzc3dvcmQ='),
      );
    },
  );

  it.each([
    [{ secret: 'TOKEN' }, 'tok-4711', 'Bearer tok-4711'],
    [{ secret: 'TOKEN', header: 'authorization' }, 'ApiKey tok-4711', 'ApiKey tok-4711'],
    [{ secret: 'TOKEN', header: 'x-api-key' }, 'tok-4711', 'tok-4711'],
    [{ secret: 'TOKEN', query: 'api_key' }, 'tok-4711', '/?api_key=tok-4711'],
    [{ secret: 'TOKEN', scheme: 'Token' }, 'tok-4711', 'Token tok-4711'],
    [{ basic: { user: 'bot@acme', secret: 'TOKEN' } }, 'pässwört-4711', basic('bot@acme:pässwört-4711')],
    [{ basic: { secret: 'TOKEN' } }, 'user:pass-4711', basic('user:pass-4711')],
    [{ basic: { secret: 'TOKEN' } }, 'sk_live_4711', basic('sk_live_4711:')],
  ])('is sent as %j says, and is masked in an answer that repeats it', async (auth, value, sent) => {
    const upstream = await startUpstream({ '/': echoOfLogin });
    const { ask } = testBroker({ secrets: [{ ...secret(`127.0.0.1:${upstream.port}`), value }] });
    const heard = await ask({ url: upstream.url('/'), auth });
    expect(upstream.calls.map(credentialIn)).toEqual([sent]);
    const all = JSON.stringify([heard, heard.kind === 'answered' ? [...heard.headers] : []]);
    expect(all).toContain('[secret TOKEN]');
    for (const form of [sent.split(' ')[1] ?? value, value, /[^:]+$/.exec(value)?.[0] ?? value])
      expect(all).not.toContain(form);
  });

  it('brings nothing back that the value can be read from', async () => {
    const upstream = await startUpstream({ '/': echo });
    const { ask } = testBroker({ secrets: [secret(`127.0.0.1:${upstream.port}`)] });
    for (const where of [{}, { header: 'authorization' }, { header: 'x-api-key' }]) {
      const heard = await ask({ url: upstream.url('/'), auth: { secret: 'TOKEN', ...where } });
      const all = JSON.stringify([heard, heard.kind === 'answered' ? [...heard.headers] : []]);
      expect(all.match(/\[secret TOKEN\]/g)?.length).toBeGreaterThanOrEqual(5);
      for (const form of formsOf(value)) expect(all).not.toContain(form);
    }
  });

  it('takes the value out of a header that repeats it, however the service writes letters beyond ASCII', async () => {
    const password = 'pässwörd Nr=7é';
    const utf8 = Buffer.from(password).toString('latin1');
    const quotedPrintable = [...utf8].map((sign) =>
      /[A-Za-z0-9]/.test(sign)
        ? sign
        : sign === ' '
          ? '_'
          : `=${Buffer.from(sign, 'latin1').toString('hex').toUpperCase()}`,
    );
    const percentEncoded = [...Buffer.from(password, 'latin1')]
      .map((byte) => `%${byte.toString(16)}`)
      .join('');
    const echoes = {
      'x-latin1': password,
      'x-utf8': utf8,
      'x-utf8-as-latin1': Buffer.from(utf8).toString('latin1'),
      'x-percent': encodeURIComponent(password),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(password)}`,
      'x-rfc5987-latin1': `iso-8859-1'en'${percentEncoded}`,
      'x-rfc2047-b': `=?utf-8?B?${Buffer.from(password).toString('base64')}?=`,
      'x-rfc2047-q': `=?utf-8?Q?${quotedPrintable.join('')}?=`,
    };
    const upstream = await startUpstream({ '/': json({}, 200, echoes) });
    const { ask } = testBroker({
      secrets: [{ name: 'TOKEN', value: password, hosts: [`127.0.0.1:${upstream.port}`] }],
    });
    const heard = await ask({ url: upstream.url('/'), auth: { secret: 'TOKEN' } });
    const headers = new Map(heard.kind === 'answered' ? heard.headers : []);
    expect(Object.fromEntries(Object.keys(echoes).map((name) => [name, headers.get(name)]))).toEqual({
      'x-latin1': '[secret TOKEN]',
      'x-utf8': '[secret TOKEN]',
      'x-utf8-as-latin1': '[secret TOKEN]',
      'x-percent': '[secret TOKEN]',
      'content-disposition': "attachment; filename*=UTF-8''[secret TOKEN]",
      'x-rfc5987-latin1': "iso-8859-1'en'[secret TOKEN]",
      'x-rfc2047-b': '=?utf-8?B?[secret TOKEN]?=',
      'x-rfc2047-q': '=?utf-8?Q?[secret TOKEN]?=',
    });
  });

  it('does not name the value when it fails, even where the service redirects to it', async () => {
    const upstream = await startUpstream({
      '/': (_call, response) =>
        void response.writeHead(302, { location: `ftp://host/${encodeURIComponent(value)}` }).end(),
    });
    const { ask } = testBroker({ secrets: [secret(`127.0.0.1:${upstream.port}`)] });
    const heard = await ask({ url: upstream.url('/'), auth: { secret: 'TOKEN' } });
    expect(heard.kind === 'failed' && heard.message).toContain('[secret TOKEN]');
  });

  it.each([
    ['evil.example', 'may be sent only to api.example.com, not to evil.example'],
    ['api.example.com.evil.example', 'not to api.example.com.evil.example'],
    ['api.example.com:8443', 'not to api.example.com:8443'],
    ['sub.api.example.com', 'not to sub.api.example.com'],
  ])('is not made to %s when the secret is bound elsewhere', async (host, words) => {
    const { ask } = testBroker({ secrets: [secret('api.example.com')] });
    const heard = await ask({ url: `https://${host}/`, auth: { secret: 'TOKEN' } });
    expect(heard.kind === 'failed' && heard.message).toContain(words);
  });

  it.each([
    [
      'http://api.example.com/',
      ['api.example.com'],
      'http://api.example.com, which is not encrypted: its hosts must name api.example.com:80',
    ],
    [
      'http://api.example.com:80/',
      ['api.example.com', 'api.example.com:443'],
      'http://api.example.com, which is not encrypted: its hosts must name api.example.com:80',
    ],
    [
      'http://api.example.com:443/',
      ['api.example.com:443'],
      'http://api.example.com:443, which is not encrypted',
    ],
  ])('is not made to %s, which is not encrypted, unless its port is named', async (url, hosts, target) => {
    const lookup = async () => ['10.0.0.1'];
    const { ask } = testBroker({ secrets: [secret(...hosts)], lookup });
    const heard = await ask({ url, auth: { secret: 'TOKEN' } });
    expect(heard.kind === 'failed' && heard.message).toContain(
      `may be sent only to ${hosts.join(', ')}, not to ${target}`,
    );
  });

  it('is made to the port that it is bound to, also where that is the usual one', async () => {
    const lookup = async () => ['10.0.0.1'];
    for (const [host, url] of [
      ['api.example.com:443', 'https://api.example.com/'],
      ['api.example.com', 'https://API.example.com:443/'],
      ['api.example.com:80', 'http://api.example.com/'],
    ] as const) {
      const { ask } = testBroker({ secrets: [secret(host)], lookup });
      const heard = await ask({ url, auth: { secret: 'TOKEN' } });
      expect(heard.kind === 'failed' && heard.message).toContain('in the local network');
    }
  });

  it('fails when there is no such secret', async () => {
    const heard = await testBroker().ask({
      url: 'http://h/',
      auth: { secret: 'NONE' },
    });
    expect(heard.kind === 'failed' && heard.message).toBe(
      'GET http://h/ is refused: there is no secret NONE',
    );
  });
});

async function folderText(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

const accessToken = 'issued+token/"of=us" & them';

const workflow = (url: string): string => `rowbench: 1
id: calls
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: query
    type: http
    request: { url: "${url}/{{ row.path }}" }
    auth: { secret: TOKEN, query: key }
    onError: { value: =error }
  - id: body
    type: http
    request: { method: POST, url: "${url}/{{ row.path }}", body: { a: 1 } }
    auth: { secret: TOKEN, body: key }
    onError: { value: =error }
  - id: oauth
    type: http
    request: { url: "${url}/{{ row.path }}" }
    auth: { oauth2: { tokenUrl: "${url}/token", clientId: us, secret: TOKEN } }
    onError: { value: =error }
  - id: signed
    type: http
    request: { url: "${url}/{{ row.path }}" }
    auth: { hmac: { secret: TOKEN, header: x-api-key, over: [method, target] } }
    onError: { value: =error }
  - id: login
    type: http
    request: { url: "${url}/{{ row.path }}" }
    auth: { basic: { user: user, secret: TOKEN } }
    onError: { value: =error }
  - id: service
    type: http
    after: [query, body, oauth, signed, login]
    request: { url: "${url}/{{ row.path }}" }
    auth: { secret: TOKEN }
  - { id: result, type: output, fields: { all: "=[nodes.query, nodes.body, nodes.oauth, nodes.signed, nodes.login, nodes.service]" } }
`;

describe('with a server', () => {
  it('no file, output, error or log line holds the value of a secret that a run used', async () => {
    const failing: UpstreamAnswerer = (call, response) =>
      json({ message: sentSecret(call), ...call }, 500)(call, response);
    const upstream = await startUpstream({
      '/echo': echo,
      '/fail': failing,
      '/token': json({ access_token: accessToken }),
    });
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    await writeFile(join(folder, 'calls.workflow.yaml'), workflow(upstream.url('')));
    const server = await startServerProcess({ dataDir, workflows: folder });
    onTestFinished(() => server.kill());
    const cli = (args: string[], stdin?: string) => runCli(args, { env: { ROWBENCH_DATA: dataDir }, stdin });
    const host = `127.0.0.1:${upstream.port}`;
    const stored = await cli(['secrets', 'set', 'TOKEN', '--host', host, '--json'], `${value}\n`);
    expect(JSON.parse(stored.stdout)).toMatchObject({
      name: 'TOKEN',
      hosts: [host],
    } satisfies Partial<SecretView>);
    await cli(['grants', 'allow', 'calls', 'loopback']);
    const runId = await trigger(server.url, 'calls', [{ path: 'echo' }, { path: 'fail' }]);
    await finalStatus(server.url, { workflowId: 'calls', runId });
    const { body } = await callApi(server.url, `/api/v1/workflows/calls/runs/${runId}/async/response`, {
      headers: { 'x-service-key': testKey },
    });
    const shown = await cli(['runs', 'show', runId, '--json']);
    const listed = await cli(['secrets', 'list', '--json']);
    const sent = upstream.calls.filter(({ path }) => path !== '/token').map(sentSecret);
    expect(sent.filter((each) => each === value)).toHaveLength(6);
    expect(sent.filter((each) => each === accessToken)).toHaveLength(2);
    expect(upstream.count('/token')).toBe(1);
    const everything = [
      await folderText(dataDir),
      JSON.stringify(body),
      shown.stdout,
      server.stderr(),
      stored.stderr,
      listed.stdout,
    ];
    expect(everything.join('\n')).toContain('[secret TOKEN]');
    expect(everything.join('\n')).toContain('[token of TOKEN]');
    expect(everything.join('\n')).toContain('[signature by TOKEN]');
    const logins = sent.filter((each) => each === basic(`user:${value}`));
    expect(logins).toHaveLength(2);
    const signatures = sent.filter((each) => ![value, accessToken, ...logins].includes(each));
    expect(signatures).toHaveLength(2);
    for (const form of [value, accessToken, ...signatures].flatMap(formsOf))
      expect(everything.join('\n')).not.toContain(form);
    const removed = await cli(['secrets', 'remove', 'TOKEN']);
    expect([removed.code, (await cli(['secrets', 'remove', 'TOKEN'])).stderr]).toEqual([
      0,
      'error: No secret has the name "TOKEN"\n',
    ]);
  });

  it('a value that cannot be a secret is refused without being named', async () => {
    const env = { ROWBENCH_DATA: join(await temporaryFolder(), 'data') };
    for (const bad of ['short', 'two\nlines-of-it', `${'x'.repeat(9000)}`, ' blank-before']) {
      const { code, stderr } = await runCli(['secrets', 'set', 'TOKEN', '--host', 'h'], { env, stdin: bad });
      expect(code).toBe(1);
      expect(stderr).toMatch(/A secret has /);
      expect(stderr).not.toContain(bad.slice(0, 40));
    }
  });
});
