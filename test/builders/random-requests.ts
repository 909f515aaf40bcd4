// Random requests as bytes, built from pieces that are known to be good or bad. The expected result is known without
// the guard.

export type RandomRequest = {
  readonly method: string;
  readonly bytes: string;
  /** True if the server may serve it: caller, origin and content are all valid. */
  readonly isWelcome: boolean;
  /** True if it starts a run when it is served. */
  readonly triggers: boolean;
  /** True if a request may follow on the same connection: this one is complete, and its answer keeps the connection open. */
  readonly mayBeFollowed: boolean;
};

export type Ground = {
  readonly port: number;
  readonly random: () => number;
  readonly key: string;
  readonly token: string;
  readonly workflowId: string;
  /** Id of a completed run. */
  readonly runId: string;
  /** A file of the pages. */
  readonly asset: string;
};

/** A piece, and whether a request with it may still be served. */
type Piece = readonly [lines: readonly string[], isGood: boolean];

const pick = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const hostPieces = (port: number): readonly Piece[] => [
  ...[
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `LocalHost:${port}`,
    `[::1]:${port}`,
    `127.0.0.1:${port}\t `,
  ].map((host): Piece => [[`Host: ${host}`], true]),
  ...[
    'evil.com',
    `evil.com:${port}`,
    '127.0.0.1',
    'localhost',
    `127.0.0.1:${port + 1}`,
    `0.0.0.0:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0x7f.1:${port}`,
    `localhost.:${port}`,
    `x.localhost:${port}`,
    `127.0.0.1:${port}.evil.com`,
    `evil.com:fake@127.0.0.1:${port}`,
    `evil.com/127.0.0.1:${port}`,
    `127.0.0.1:${port}, evil.com`,
    `127.0.0.1:${port}#`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port}\xa0`,
    `[::1%25lo]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[0:0:0:0:0:0:0:1]:${port}`,
    '[::1',
    '%00',
    'l\xc3\xb6calhost',
    '',
    'a'.repeat(8000),
  ].map((host): Piece => [[`Host: ${host}`], false]),
  [[], false],
  [[`Host: 127.0.0.1:${port}`, 'hOST: evil.com'], false],
  [['Host: evil.com', `Host: 127.0.0.1:${port}`], false],
  [[`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`], false],
];

/** A good request has no Origin, or one that equals its Host. Any other Origin belongs to another site. */
const originPieces = (hostLine: string): readonly Piece[] => [
  [[], true],
  [
    [
      `Origin: http://${hostLine
        .replace(/^Host:\s*/, '')
        .trim()
        .toLowerCase()}`,
    ],
    true,
  ],
  ...[
    'null',
    'http://evil.com',
    'https://evil.com',
    'http://localhost:1',
    'http://127.0.0.1',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    '',
    '\xff',
    `http://${hostLine.replace(/^Host:\s*/, '').trim()}.evil.com`,
    `https://${hostLine.replace(/^Host:\s*/, '').trim()}`,
    `http://${hostLine.replace(/^Host:\s*/, '').trim()}/`,
    `http://${hostLine.replace(/^Host:\s*/, '').trim()}, http://evil.com`,
  ].map((origin): Piece => [[`Origin: ${origin}`], false]),
  [['Origin: http://evil.com', 'Origin: http://evil.com'], false],
];

const sitePieces = (isControl: boolean): readonly Piece[] => [
  [[], true],
  [['Sec-Fetch-Site: same-origin'], true],
  [['Sec-Fetch-Site: none'], !isControl],
  ...['same-site', 'cross-site', 'Same-Origin', 'same-origin, cross-site', '', '?1', 'x'.repeat(300)].map(
    (site): Piece => [[`Sec-Fetch-Site: ${site}`], false],
  ),
  [['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'], false],
];

/** The header with the right key or token, then variants that the server must refuse. */
const proofPieces = (name: string, right: string, other: string): readonly Piece[] => [
  [[`${name}: ${right}`], true],
  ...[
    '',
    right.slice(0, -1),
    `${right}x`,
    right.toUpperCase(),
    other,
    `${right}, ${right}`,
    `Bearer ${right}`,
  ].map((value): Piece => [[`${name}: ${value}`], false]),
  [[], false],
  [[`${name}: ${right}`, `${name}: ${other}`], false],
  [[`Authorization: Bearer ${right}`], false],
  [[`Cookie: ${name}=${right}`], false],
  [[`X-${name}: ${right}`], false],
];

type Target = {
  readonly method: string;
  readonly path: string;
  readonly door: 'key' | 'token' | 'open' | 'none';
};

const targets = ({ workflowId, runId, asset }: Ground): readonly Target[] => {
  const runs = `/api/v1/workflows/${workflowId}/runs`;
  return [
    { method: 'GET', path: `${runs}/${runId}/async/status`, door: 'key' },
    { method: 'GET', path: `${runs}/${runId}/async/response`, door: 'key' },
    { method: 'POST', path: `${runs}/async`, door: 'key' },
    { method: 'POST', path: '/_rowbench/v1/call/key.list', door: 'token' },
    { method: 'POST', path: '/_rowbench/v1/call/run.list', door: 'token' },
    // Says whether the caller has the token, and nothing else.
    { method: 'GET', path: '/_rowbench/v1/session', door: 'open' },
    { method: 'GET', path: '/openapi.json', door: 'open' },
    { method: 'GET', path: '/', door: 'open' },
    { method: 'GET', path: asset, door: 'open' },
    ...[
      '*',
      '//',
      'http://evil.com/',
      `http://127.0.0.1${runs}/async`,
      `/api/v1/../..${runs}`,
      '/%00',
      '/%E0%A4%A',
      '/a#b',
      '/_rowbench/v1/events',
      `${runs}/async/`,
      `/${runs}/async`,
      '/api/v1/workflows/__proto__/runs/async',
      `/${'a'.repeat(9000)}`,
    ].map((path): Target => ({ method: 'GET', path, door: 'none' })),
  ];
};

const methods = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PURGE',
  'get',
  'BREW',
  'G\xffT',
];
const knownMethods = new Set(methods.slice(0, 9));

const noise: readonly ((random: () => number) => string)[] = [
  (random) => `X-${Math.floor(random() * 1e6)}: ${'v'.repeat(random() * 60)}`,
  (random) =>
    `X-Bytes: ${String.fromCharCode(...Array.from({ length: 20 }, () => 0x80 + Math.floor(random() * 0x80)))}`,
  () => 'X-Forwarded-Host: 127.0.0.1',
  () => 'X-Forwarded-For: 127.0.0.1',
  () => 'Forwarded: for=127.0.0.1;host=localhost',
  () => 'X-HTTP-Method-Override: POST',
  () => 'X-Original-URL: /api/v1/workflows',
  () => 'Referer: http://127.0.0.1/',
  () => 'Cookie: __proto__=1; a=b',
  () => '__proto__: polluted',
  () => 'constructor: x',
  () => 'Accept-Encoding: gzip;q=1.0, *;q=0',
  () => 'Sec-Fetch-Mode: navigate',
  () => 'Access-Control-Request-Method: POST',
  () => 'Access-Control-Request-Headers: x-service-key',
  () => 'X-Rowbench-Replay: 1',
  () => 'X-Empty:',
];

const shuffled = <T>(random: () => number, all: readonly T[]): T[] =>
  all
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);

const mixedCase = (random: () => number, line: string): string =>
  random() < 0.2 ? line.replace(/^[^:]+/, (name) => name.toUpperCase()) : line;

const body = '{"rows":[{"n":1}]}';

/** A request that is whole, with a random choice of everything. */
export function randomRequest(ground: Ground): RandomRequest {
  const { random, port, key, token } = ground;
  /** Good pieces are a good part of them: else hardly any request would be wrong in one place alone. */
  const choose = (pieces: readonly Piece[], share: number): Piece => {
    const isGood = random() < share;
    return pick(
      random,
      pieces.filter((piece) => piece[1] === isGood),
    );
  };
  const target = pick(random, targets(ground));
  const method = random() < 0.85 ? target.method : pick(random, methods);
  const host = choose(hostPieces(port), 0.7);
  const origin = choose(originPieces(host[0][0] ?? ''), 0.8);
  const site = choose(sitePieces(target.path.startsWith('/_rowbench/')), 0.8);
  const proof =
    target.door === 'token'
      ? choose(proofPieces('x-rowbench-token', token, key), 0.6)
      : choose(proofPieces('x-service-key', key, token), 0.6);
  const isProven = target.door === 'open' || (target.door !== 'none' && proof[1]);
  const hasBody = method === 'POST' && target.method === 'POST';
  const content = target.door === 'token' ? '{}' : body;
  const isWelcome = host[1] && origin[1] && site[1] && isProven && isAnswered(target, method);
  const mayBeFollowed = knownMethods.has(method) && (!hasBody || isWelcome);
  const lines = shuffled(random, [
    ...host[0],
    ...origin[0],
    ...site[0],
    ...proof[0],
    ...Array.from({ length: Math.floor(random() * 4) }, () => pick(random, noise)(random)),
    ...(hasBody ? ['Content-Type: application/json', `Content-Length: ${content.length}`] : []),
    ...(mayBeFollowed ? [] : ['Connection: close']),
  ]).map((line) => mixedCase(random, line));
  return {
    method,
    bytes: `${method} ${target.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${hasBody ? content : ''}`,
    isWelcome,
    triggers: target.method === 'POST' && target.door === 'key' && hasBody,
    mayBeFollowed,
  };
}

/** A page has a head of its own. */
const isAnswered = (target: Target, method: string): boolean =>
  method === target.method ||
  (method === 'HEAD' && target.door === 'open' && target.path !== '/openapi.json');

/** Bytes that a server must not take for more than one request, or for one at all. */
export function brokenRequest(ground: Ground): RandomRequest {
  const { random, port, key, workflowId } = ground;
  const host = `Host: 127.0.0.1:${port}`;
  const path = `/api/v1/workflows/${workflowId}/runs/async`;
  const head = `POST ${path} HTTP/1.1\r\n${host}\r\nx-service-key: ${key}\r\nContent-Type: application/json\r\n`;
  /** A good trigger: if anything of it is executed, the request before it was misread. */
  const hidden = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const broken = pick(random, [...framings(hidden), ...lines(host)]);
  const bytes = typeof broken === 'string' ? broken : `${head}${broken.rest}`;
  return {
    method: bytes.startsWith('HEAD') ? 'HEAD' : 'POST',
    bytes: bytes.includes(hidden) ? bytes : `${bytes}${hidden}`,
    isWelcome: false,
    triggers: false,
    mayBeFollowed: false,
  };
}

/** Wrong in how the body is framed, behind a head that is right until then. */
const framings = (hidden: string): readonly { rest: string }[] =>
  [
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    `Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde',
    'Content-Length: 5, 5\r\n\r\nabcde',
    'Content-Length: 5\r\ncontent-length: 5\r\n\r\nabcde',
    ...['+5', '-1', '0x5', '5 5', '5;', '1e1', '5.0', '', '\xb5', '99999999999999999999'].map(
      (length) => `Content-Length: ${length}\r\n\r\nabcde`,
    ),
    ...[
      'xchunked',
      'chunked, identity',
      'identity',
      'identity, chunked, identity',
      'chunked\x0b',
      '"chunked"',
      'chunked;q=1',
      '\x00chunked',
    ].map((encoding) => `Transfer-Encoding: ${encoding}\r\n\r\n0\r\n\r\n`),
    'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n',
    'X: 1\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'X: 1\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'X: 1\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ...['0x5', '-1', '+5', ' 5', 'g', '', 'ffffffffffffffff', '5\x0b', '5;\na', '5\n', '5\r\r\n'].map(
      (size) => `Transfer-Encoding: chunked\r\n\r\n${size}\r\nabcde\r\n0\r\n\r\n`,
    ),
    'Transfer-Encoding: chunked\r\n\r\n5\r\nabcdeXX0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n0\r\nHost: evil.com\n\n',
  ].map((rest) => ({ rest }));

/** Wrong in a line, or in no way HTTP as we speak it. */
const lines = (host: string): readonly string[] => [
  `GET /nothing HTTP/1.1\r\n ${host}\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\nno colon\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\nX Y: 1\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\n: 1\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\nX: 1\0\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\nX: a\r\n b\r\n\r\n`,
  `GET /nothing HTTP/1.1\n${host}\n\n`,
  `GET /nothing HTTP/1.1\r${host}\r\r`,
  `GET /nothing\r\n${host}\r\n\r\n`,
  `GET /nothing HTTP/9.9\r\n${host}\r\n\r\n`,
  `GET /nothing HTTP/1.1 HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /nothing a HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET\t/nothing HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /nothing\0 HTTP/1.1\r\n${host}\r\n\r\n`,
  `G\0T / HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /nothing http/1.1\r\n${host}\r\n\r\n`,
  `GET /nothing ICE/1.0\r\n${host}\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\n${'a'.repeat(17_000)}: 1\r\n\r\n`,
  `GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /nothing HTTP/1.1\r\n${host}\r\nExpect: miracles\r\nContent-Length: 5\r\n\r\n`,
];
