// Random calls to each route, with the checks that API fuzzers make. No answer is a 5xx; statuses and bodies are those
// of the description. Valid calls are accepted and invalid ones refused. No call is served without its key, and nothing
// is found that is gone: a revoked key, a removed run.
// ROWBENCH_PROOF=long makes 5,000 calls per route, ROWBENCH_SEED sets the random sequence.
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { ApiDescription, type DescribedAnswer } from '../builders/api-description.ts';
import { LeapingClock, overADay } from '../builders/leaping-clock.ts';
import { having, openDoor, type Plant } from '../builders/open-door.ts';
import {
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  workflowPath,
  type TestApp,
} from '../builders/start-test-app.ts';
import { isLong, timeoutMs, report } from './length.ts';

const callsPerRoute = isLong ? 5000 : 60;
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);

const routes = ['trigger', 'status', 'output'] as const;
type Route = (typeof routes)[number];

type Ground = {
  readonly app: TestApp;
  readonly description: ApiDescription;
  readonly keys: Readonly<Record<'right' | 'other' | 'revoked', string>>;
  readonly runs: Readonly<Record<'done' | 'failed' | 'unfinished' | 'removed', string>>;
};

async function prepare(): Promise<Ground> {
  const { echo, failing, waiting, broken } = sampleWorkflows;
  const clock = new LeapingClock();
  const app = await startTestApp({ workflows: { echo, failing, waiting, broken }, limits: 'off', clock });
  onTestFinished(() => app.close());
  const statusOf = async (runId: string): Promise<string> => (await app.services.runs.get(runId)).run.status;
  const ended = async (workflow: string, status: string): Promise<string> => {
    const runId = await app.run(workflow, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await expect.poll(() => statusOf(runId), { timeout: 20_000 }).toBe(status);
    return runId;
  };
  const removed = await ended('echo', 'completed');
  await app.handlers['settings.change']({ retention: { days: 1, gigabytes: 5 } });
  clock.leap(overADay);
  const later = await ended('echo', 'completed');
  await expect
    .poll(async () => (await app.call(statusPath('echo', removed))).status, { timeout: 20_000 })
    .toBe(404);
  await app.handlers['settings.change']({ retention: { days: 30, gigabytes: 5 } });
  const revoked = await app.services.keys.create({ name: 'revoked', workflows: null });
  await app.services.keys.revoke(revoked.key.id);
  return {
    app,
    description: new ApiDescription((await app.call('/openapi.json')).body),
    keys: { right: app.key, other: await app.createKey(['failing']), revoked: revoked.secret },
    runs: {
      done: later,
      failed: await ended('failing', 'failed'),
      unfinished: await app.run('waiting', [{}]),
      removed,
    },
  };
}

const operationOf = { trigger: 'triggerRun', status: 'getRunStatus', output: 'getRunOutput' } as const;

type Call = {
  readonly workflow: string;
  readonly run: string;
  readonly query: string;
  readonly key: string | undefined;
  readonly type: string;
  readonly body: Buffer;
};

const segment = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '%2e%2e%2f', '%00', '%', ' ', 'a'.repeat(300), '-1', 'null'),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .map((text) => encodeURIComponent(text))
    // A client takes these out of the path, and asks for another one; the raw requests have them.
    .filter((text) => !/^\.\.?$/.test(text)),
  fc.uuid(),
);
const headerText = fc.string({ maxLength: 60 }).map((text) => text.replace(/[^ -~]/g, '').trim());
const rows = fc.array(
  fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  {
    maxLength: 5,
  },
);
const jsonText = fc.oneof(
  { weight: 3, arbitrary: rows.map((list) => JSON.stringify({ rows: list })) },
  rows.map((list) => JSON.stringify({ other: 1, rows: list, nodes: {} })),
  fc.jsonValue().map((rows) => JSON.stringify({ rows })),
  fc.json(),
);
const body = fc.oneof(
  { weight: 4, arbitrary: jsonText.map((text) => Buffer.from(text)) },
  // Cut, or with a byte changed.
  fc.tuple(jsonText, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    if (byte % 2 === 0) return bytes.subarray(0, at % (bytes.length + 1));
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

const callTo = ({ keys, runs }: Ground): fc.Arbitrary<Call> =>
  fc.record({
    workflow: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('echo', 'failing', 'waiting', 'broken') },
      segment,
    ),
    run: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...Object.values(runs)) }, segment),
    query: fc.oneof(
      fc.constant(''),
      fc.webQueryParameters().map((text) => `?${text}`),
    ),
    key: fc.oneof(
      { weight: 6, arbitrary: fc.constant(keys.right) },
      fc.constantFrom(keys.other, keys.revoked, undefined),
      headerText,
    ),
    type: fc.oneof({ weight: 6, arbitrary: fc.constant('application/json') }, headerText),
    body,
  });

async function send(url: string, route: Route, call: Call): Promise<DescribedAnswer> {
  const { workflow, run, query, key, type } = call;
  const path = {
    trigger: workflowPath(workflow),
    status: statusPath(workflow, run),
    output: outputPath(workflow, run),
  };
  const response = await fetch(`${url}${path[route]}${query}`, {
    ...(route === 'trigger' ? { method: 'POST', body: new Uint8Array(call.body) } : {}),
    headers: { 'content-type': type, ...(key === undefined ? {} : { 'x-service-key': key }) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if the description allows the body: strict JSON in UTF-8. */
function fits({ body, type }: Call): boolean {
  if (type !== 'application/json') return false;
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body),
    );
    const list = isObject(value) ? (value as { rows?: unknown }).rows : undefined;
    return Array.isArray(list) && list.every(isObject);
  } catch {
    return false;
  }
}

/** Checks one call in every way; throws at the first that does not hold. Gives how many calls that took. */
async function check(ground: Ground, url: string, request: { route: Route; call: Call }): Promise<number> {
  const { route, call } = request;
  const { keys, runs } = ground;
  const heard = await send(url, route, call);
  expect(heard.status, 'no 5xx').toBeLessThan(500);
  const problems = ground.description.problems(operationOf[route], heard);
  expect(problems, `what is not documented in ${heard.status} ${JSON.stringify(heard.body)}`).toEqual([]);
  expect(heard.headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (route !== 'trigger' && call.run === runs.removed) expect(heard.status).not.toBe(200);
  if (call.key === keys.revoked) expect(heard.status).toBe(401);
  if (route === 'trigger' && !fits(call)) expect(heard.status, 'what does not fit is refused').not.toBe(201);
  if (
    route === 'trigger' &&
    fits(call) &&
    call.key === keys.right &&
    ['echo', 'waiting'].includes(call.workflow)
  )
    expect(heard.status, 'what fits is accepted').toBe(201);
  if (heard.status >= 300) return 1;
  for (const key of [undefined, keys.revoked, `${keys.right}x`]) {
    const again = await send(url, route, { ...call, key });
    expect(again.status, 'no call is served without its key').toBe(401);
  }
  const elsewhere = await send(url, route, { ...call, key: keys.other });
  expect([200, 403].includes(elsewhere.status) || call.workflow === 'failing').toBe(true);
  if (call.workflow !== 'failing') expect(elsewhere.status).toBe(403);
  return 5;
}

async function fuzz(ground: Ground, url: string, numRuns: number): Promise<number> {
  let calls = 0;
  for (const route of routes)
    await fc.assert(
      fc.asyncProperty(callTo(ground), async (call) => {
        calls += await check(ground, url, { route, call });
      }),
      { numRuns, seed, endOnFailure: true },
    );
  return calls;
}

it(
  `every answer is a documented one, over ${callsPerRoute} calls a route`,
  { timeout: timeoutMs(900_000) },
  async () => {
    const ground = await prepare();
    const calls = await fuzz(ground, ground.app.url, callsPerRoute);
    for (const [workflow, run] of [['echo', ground.runs.done]] as const)
      expect((await ground.app.call(outputPath(workflow, run))).status).toBe(200);
    report(
      `${calls} random calls to ${routes.length} routes: each answer documented, none served without its key (seed ${seed})`,
    );
  },
);

it('methods that a route does not know are refused, and named', async () => {
  const { app } = await prepare();
  for (const path of [workflowPath('echo'), statusPath('echo', 'x'), outputPath('echo', 'x')])
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const allowed = path === workflowPath('echo') ? 'POST' : 'GET';
      if (method === allowed) continue;
      const { status, headers } = await app.call(path, { method });
      expect([status, headers.get('allow')], `${method} ${path}`).toEqual([405, allowed]);
    }
}, 30_000);

const planted: readonly (readonly [string, (ground: Ground) => Plant, RegExp])[] = [
  ['a route breaks', () => (passed) => (passed.path.includes('__proto__') ? 500 : passed), /no 5xx/],
  [
    'a status is not documented',
    () => (passed) => (passed.path.includes('/waiting/') ? 418 : passed),
    /documented/,
  ],
  [
    'a revoked key still opens',
    ({ keys }) =>
      (passed) =>
        passed.headers.some(([, value]) => value === keys.revoked)
          ? having('x-service-key', keys.right)(passed)
          : passed,
    /401/,
  ],
  [
    'a route asks for no key',
    ({ keys }) =>
      (passed) =>
        passed.headers.some(([name]) => name === 'x-service-key')
          ? passed
          : having('x-service-key', keys.right)(passed),
    /without its key|401/,
  ],
];

it.each(planted)('the rig notices when %s', { timeout: 120_000 }, async (_, plant, words) => {
  const ground = await prepare();
  const { port } = ground.app;
  const door = await openDoor(port, (passed) => {
    const changed = plant(ground)(passed);
    return typeof changed === 'number' ? changed : having('Host', `127.0.0.1:${port}`)(changed);
  });
  const problem = await fuzz(ground, `http://127.0.0.1:${door}`, 300).catch((error: Error) => error);
  expect(problem instanceof Error ? String(problem.cause) : 'nothing was found').toMatch(words);
});
