// Every route with every kind of key, on everything that it can address, in every state of the limits. Each answer is
// the one that the interface document names, with its body. The spec derives the expected answers from the document
// alone.
import { expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { having, openDoor, type Plant } from '../builders/open-door.ts';
import {
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  workflowPath,
  type TestApp,
} from '../builders/start-test-app.ts';
import { report } from './length.ts';

const routes = ['trigger', 'status', 'output'] as const;
const limitStates = ['free', 'used up by the key', 'used up for the resource'] as const;
const keyKinds = [
  'none',
  'empty',
  'wrong',
  'revoked',
  'control token',
  'two',
  'other',
  'right',
  'all',
] as const;
const targets = [
  'own',
  'unfinished',
  'unknown workflow',
  'hostile workflow',
  'unknown run',
  "other's run",
] as const;

type Route = (typeof routes)[number];
type LimitState = (typeof limitStates)[number];
type KeyKind = (typeof keyKinds)[number];
type Target = (typeof targets)[number];
type Answer = { readonly status: number; readonly body: unknown; readonly retryAfter: string | null };

/** Opens the workflows `echo` and `waiting`; `other` opens neither. */
const isValid = (kind: KeyKind): boolean => kind === 'other' || kind === 'right' || kind === 'all';

const unknownRun = '0197a0c2-0000-7000-8000-0123456789ab';
const anyText = expect.any(String) as unknown;
const failure = (error: unknown) => ({ success: false, error });

type Ground = {
  readonly app: TestApp;
  readonly clock: FakeClock;
  readonly keys: Readonly<Record<KeyKind, string | null>>;
  readonly done: string;
  readonly unfinished: string;
  /** A key that uses limits up for others. */
  readonly spender: string;
};

async function prepare(): Promise<Ground> {
  const clock = new FakeClock();
  const { echo, waiting } = sampleWorkflows;
  const app = await startTestApp({
    // Longer than the minutes that pass here.
    workflows: { echo, waiting: waiting.replace('1h', '24h'), other: echo.replace('id: echo', 'id: other') },
    clock,
  });
  onTestFinished(() => app.close());
  const revoked = await app.services.keys.create({ name: 'revoked', workflows: null });
  await app.services.keys.revoke(revoked.key.id);
  const done = await app.run('echo', [{ n: 1 }]);
  const unfinished = await app.run('waiting', [{ n: 1 }]);
  const statusOf = async (id: string): Promise<string> => (await app.services.runs.get(id)).run.status;
  await expect.poll(() => statusOf(done), { timeout: 20_000 }).toBe('completed');
  // A start that no result comes with is stored a moment later.
  const started = (): Promise<string> => {
    clock.advance(100);
    return statusOf(unfinished);
  };
  await expect.poll(started, { timeout: 20_000 }).toBe('running');
  const right = await app.createKey(['echo', 'waiting']);
  const keys = {
    none: null,
    empty: '',
    wrong: `rbk_${'a'.repeat(43)}`,
    revoked: revoked.secret,
    'control token': app.control.token,
    two: `${right}, ${app.key}`,
    other: await app.createKey(['other']),
    right,
    all: app.key,
  };
  return { app, clock, keys, done, unfinished, spender: await app.createKey(null) };
}

function addressed({ done, unfinished }: Ground, target: Target): { workflow: string; run: string } {
  if (target === 'unfinished') return { workflow: 'waiting', run: unfinished };
  if (target === 'unknown workflow') return { workflow: 'no-such', run: done };
  if (target === 'hostile workflow') return { workflow: '..%2f__proto__', run: done };
  if (target === 'unknown run') return { workflow: 'echo', run: unknownRun };
  return { workflow: target === "other's run" ? 'waiting' : 'echo', run: done };
}

async function call(
  ground: Ground,
  url: string,
  { route, key, target }: { route: Route; key: string | null; target: Target },
): Promise<Answer> {
  const { workflow, run } = addressed(ground, target);
  const path = {
    trigger: workflowPath(workflow),
    status: statusPath(workflow, run),
    output: outputPath(workflow, run),
  };
  const response = await fetch(`${url}${path[route]}`, {
    ...(route === 'trigger' ? { method: 'POST', body: '{"rows":[]}' } : {}),
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-service-key': key }) },
  });
  return {
    status: response.status,
    body: await response.json(),
    retryAfter: response.headers.get('retry-after'),
  };
}

/** Uses the limit up as the state says, in a minute of its own. */
async function bring(ground: Ground, route: Route, state: LimitState): Promise<void> {
  const { app, clock, keys, spender } = ground;
  clock.advance(61_000);
  if (state === 'free') return;
  const maxCalls = state === 'used up by the key' ? 50 : { trigger: 30, status: 6, output: 0 }[route];
  const spend = async (key: string | null, target: Target, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await call(ground, app.url, { route, key, target });
  };
  if (state === 'used up by the key') {
    // A workflow that there is not: no resource is charged for it.
    for (const kind of keyKinds.filter(isValid)) await spend(keys[kind], 'unknown workflow', maxCalls);
    return;
  }
  for (const target of ['own', 'unfinished'] as const) {
    const key = target === 'own' ? spender : await app.createKey(null);
    await spend(key, target, maxCalls);
  }
}

/** The answer by sections 4, 5, 7 and 8 of the interface document, and by the order of the checks. */
function expected(
  ground: Ground,
  route: Route,
  request: { kind: KeyKind; target: Target; state: LimitState },
) {
  const { kind, target, state } = request;
  if (!isValid(kind)) return { status: 401, body: failure('Invalid API key'), retryAfter: null };
  const limited = { status: 429, body: failure(anyText), retryAfter: anyText };
  if (state === 'used up by the key') return limited;
  if (target === 'unknown workflow' || target === 'hostile workflow')
    return { status: 404, body: failure('Workflow not found'), retryAfter: null };
  if (kind === 'other') return { status: 403, body: failure(anyText), retryAfter: null };
  if (route !== 'trigger' && (target === 'unknown run' || target === "other's run"))
    return { status: 404, body: failure('Workflow run not found'), retryAfter: null };
  if (state === 'used up for the resource' && route !== 'output') return limited;
  return { ...success(ground, route, target), retryAfter: null };
}

function success(ground: Ground, route: Route, target: Target): { status: number; body: unknown } {
  if (route === 'trigger') {
    const { workflow: workflowId } = addressed(ground, target);
    return { status: 201, body: { success: true, data: { workflowId, runId: anyText, status: 'queued' } } };
  }
  const isDone = target === 'own';
  if (route === 'status') {
    const data = {
      startedAt: anyText,
      status: isDone ? 'completed' : 'running',
      finishedAt: isDone ? anyText : null,
    };
    return { status: 200, body: { success: true, data } };
  }
  return isDone
    ? {
        status: 200,
        body: { success: true, data: { [`${ground.done.slice(-12)}_000001`]: { row: { n: 1 } } } },
      }
    : { status: 400, body: failure('Workflow run is not completed. Current status: running') };
}

/** Each call that is answered otherwise than it should be. */
async function deviations(
  ground: Ground,
  url: string,
  states: readonly LimitState[] = limitStates,
): Promise<{ calls: number; found: string[] }> {
  const found: string[] = [];
  let calls = 0;
  for (const route of routes)
    for (const state of states) {
      await bring(ground, route, state);
      for (const kind of keyKinds)
        for (const target of targets) {
          const answer = await call(ground, url, { route, key: ground.keys[kind], target });
          const documented = expected(ground, route, { kind, target, state });
          calls += 1;
          try {
            expect(answer).toEqual(documented);
          } catch {
            found.push(`${route}, limit ${state}, key ${kind}, ${target}: ${JSON.stringify(answer)}`);
          }
        }
    }
  return { calls, found };
}

it('every call is answered as the interface document says', { timeout: 120_000 }, async () => {
  const ground = await prepare();
  const { calls, found } = await deviations(ground, ground.app.url);
  expect(found).toEqual([]);
  report(
    `${calls} calls: ${routes.length} routes, ${keyKinds.length} kinds of key, ${targets.length} places, limits free and used up: each as documented`,
  );
});

const planted: readonly (readonly [string, (ground: Ground) => Plant])[] = [
  [
    'the status asks for no key',
    ({ keys }) =>
      (passed) =>
        passed.path.endsWith('/status') ? having('x-service-key', keys.all ?? '')(passed) : passed,
  ],
  [
    'a key opens all workflows',
    ({ keys }) =>
      (passed) =>
        passed.headers.some(([, value]) => value === keys.other)
          ? having('x-service-key', keys.all ?? '')(passed)
          : passed,
  ],
];

it.each(planted)('the rig notices when %s', { timeout: 120_000 }, async (_, plant) => {
  const ground = await prepare();
  const { port } = ground.app;
  const door = await openDoor(port, (passed) => {
    const planted = plant(ground)(passed);
    return typeof planted === 'number' ? planted : having('Host', `127.0.0.1:${port}`)(planted);
  });
  const { found } = await deviations(ground, `http://127.0.0.1:${door}`, ['free']);
  expect(found.length).toBeGreaterThan(3);
});
