// Random input to every procedure of the control API, as a page that was taken over or is broken might send it: no 5xx,
// every answer in the envelope, and never without the token. ROWBENCH_PROOF=long makes more calls.
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { procedures, type ProcedureName } from '../../src-main/contract/index.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { having, openDoor, type Plant } from '../builders/open-door.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../builders/start-test-app.ts';
import { isLong, timeoutMs, report } from './length.ts';

const callsPerProcedure = isLong ? 1000 : 12;
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);

/** These read and write files that the input names, anywhere that their user may, or wait for runs to end. */
const left = new Set([
  'workflow.import',
  'workflow.inspect',
  'workflow.runTests',
  'run.traceRow',
  'calls.replay',
]);

const oddity = fc.oneof(
  fc.constantFrom<unknown>(null, '', '__proto__', '../../etc/passwd', '\u0000', -1, 0, 1, 1e21, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

type InputFields = { readonly properties: readonly string[]; readonly required: readonly string[] };

/** Names of the fields in a procedure's input schema: all, and the required ones. */
function fieldsOf(name: ProcedureName): InputFields {
  const schema = z.toJSONSchema(procedures[name].input, { io: 'input', unrepresentable: 'any' });
  return { properties: Object.keys(schema.properties ?? {}), required: schema.required ?? [] };
}

/** Generates inputs with the schema's fields, mostly with plausible values. */
const inputFor = (runId: string, { properties, required }: InputFields): fc.Arbitrary<unknown> => {
  const known: Record<string, fc.Arbitrary<unknown>> = {
    runId: fc.constantFrom(runId, '0197a0c2-0000-7000-8000-0123456789ab'),
    workflowId: fc.constantFrom('echo', 'broken', 'no-such', '__proto__'),
    row: fc.constantFrom(1, 2, 1e9),
    nodeId: fc.constantFrom('input', 'result', '__proto__'),
    number: fc.constantFrom(1, 2, 1e9),
    numbers: fc.array(fc.nat(5), { maxLength: 3 }),
    id: fc.constantFrom('no-such', '__proto__', '../x'),
    name: fc.string({ maxLength: 20 }),
    key: fc.string({ maxLength: 40 }),
    value: fc.string({ minLength: 8, maxLength: 40 }),
    hosts: fc.array(fc.constantFrom('api.example.com', '127.0.0.1:80'), { minLength: 1, maxLength: 2 }),
    workflows: fc.constantFrom(null, ['echo'], ['no-such']),
    from: fc.nat(100),
    limit: fc.integer({ min: 1, max: 50 }),
    after: fc.nat(9),
    statuses: fc.subarray(['queued', 'running', 'completed', 'failed']),
    filter: fc.constantFrom({}, { text: 'a' }, { status: 'failed' }),
    text: fc.string({ maxLength: 20 }),
    path: fc.constantFrom([], ['row'], ['__proto__']),
    verb: fc.constantFrom('pause', 'resume', 'cancel'),
    runs: fc.nat(100),
    days: fc.nat(100),
  };
  const fields = properties.map((name) => {
    const value = fc.oneof({ weight: 8, arbitrary: known[name] ?? oddity }, oddity);
    const isThere = fc.integer({ min: 0, max: 9 }).map((n) => (required.includes(name) ? n > 0 : n > 6));
    return fc
      .tuple(isThere, value)
      .map(([there, fieldValue]) => (there ? [[name, fieldValue] as const] : []));
  });
  const some = fc.tuple(...fields).map((pairs) => Object.fromEntries(pairs.flat()) as object);
  return fc.oneof({ weight: 9, arbitrary: some }, oddity);
};

type Ground = { readonly app: TestApp; readonly runId: string; readonly errors: readonly unknown[] };

async function prepare(): Promise<Ground> {
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const { echo, broken } = sampleWorkflows;
  const app = await startTestApp({ workflows: { echo, broken }, limits: 'off', log });
  onTestFinished(() => app.close());
  return { app, runId: await app.run('echo', [{ n: 1 }, { n: 2 }]), errors };
}

type Heard = { readonly status: number; readonly body: unknown };

/** @param token undefined: none is sent */
async function ask({ app }: Ground, url: string, call: { name: string; body: string; token?: string }) {
  const { name, body, token } = call;
  const response = await fetch(`${url}/_rowbench/v1/call/${name}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-key': app.key,
      ...(token === undefined ? {} : { [app.control.header]: token }),
    },
  });
  return { status: response.status, body: await response.json() } satisfies Heard;
}

type Fuzzed = { readonly found: readonly string[]; readonly statuses: Readonly<Record<number, number>> };

/** Makes `calls` random calls of each procedure; returns faults in words, and the number of answers by status. */
async function fuzz(
  ground: Ground,
  url: string,
  { names, calls }: { readonly names: readonly ProcedureName[]; readonly calls: number },
): Promise<Fuzzed> {
  const { token } = ground.app.control;
  const found: string[] = [];
  const statuses: Record<number, number> = {};
  for (const name of names) {
    // By its name, so that procedures do not all get the same.
    const own = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed) | 0;
    const inputs = fc.sample(inputFor(ground.runId, fieldsOf(name)), { numRuns: calls, seed: own });
    for (const body of inputs.map((input) => JSON.stringify(input))) {
      const heard = await ask(ground, url, { name, body, token });
      statuses[heard.status] = (statuses[heard.status] ?? 0) + 1;
      found.push(...faultsOf(heard).map((words) => `${name} ${body}: ${words}: ${JSON.stringify(heard)}`));
    }
    for (const wrong of [undefined, ground.app.key, `${token}x`]) {
      const { status } = await ask(ground, url, { name, body: '{}', ...(wrong && { token: wrong }) });
      if (status !== 401) found.push(`${name}: ${status} without the token`);
    }
  }
  return { found, statuses };
}

function faultsOf({ status, body }: Heard): readonly string[] {
  const success = typeof body === 'object' && body !== null && 'success' in body ? body.success : undefined;
  return [
    ...(status >= 500 ? ['a 5xx'] : []),
    ...(success === (status === 200) ? [] : ['not in the envelope']),
  ];
}

const all = (Object.keys(procedures) as ProcedureName[]).filter((name) => !left.has(name));

it(
  'no input to a procedure is a 5xx, and none is taken without the token',
  { timeout: timeoutMs(600_000) },
  async () => {
    const ground = await prepare();
    const { found, statuses } = await fuzz(ground, ground.app.url, { names: all, calls: callsPerProcedure });
    expect(found.slice(0, 10)).toEqual([]);
    expect(ground.errors).toEqual([]);
    expect(statuses[200]).toBeGreaterThan(all.length / 2);
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    report(`${all.length} procedures of the control API: ${counts.join(', ')}, no 5xx (seed ${seed})`);
  },
);

const planted: readonly (readonly [string, (ground: Ground) => Plant, string])[] = [
  ['a procedure breaks', () => (passed) => (passed.path.endsWith('/run.show') ? 500 : passed), 'a 5xx'],
  [
    'an answer leaves the envelope',
    () => (passed) => (passed.path.endsWith('/run.show') ? 200 : passed),
    'not in the envelope',
  ],
  [
    'a procedure asks for no token',
    ({ app }) => having(app.control.header, app.control.token),
    '200 without the token',
  ],
  [
    'an API key opens it',
    ({ app }) =>
      (passed) =>
        passed.headers.some(([, value]) => value === app.key && passed.path.endsWith('/run.list'))
          ? having(app.control.header, app.control.token)(passed)
          : passed,
    'run.list: 200 without the token',
  ],
];

it('the rig notices when a check is missing', { timeout: 60_000 }, async () => {
  const ground = await prepare();
  const { port } = ground.app;
  for (const [fault, plant, words] of planted) {
    const door = await openDoor(port, (passed) => {
      const changed = plant(ground)(passed);
      return typeof changed === 'number' ? changed : having('Host', `127.0.0.1:${port}`)(changed);
    });
    const names = ['run.show', 'run.list'] as const;
    const { found } = await fuzz(ground, `http://127.0.0.1:${door}`, { names, calls: 4 });
    expect(found.join('\n'), fault).toContain(words);
  }
});
