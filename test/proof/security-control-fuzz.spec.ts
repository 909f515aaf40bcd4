// Random input to every procedure of the control API, as a page that was taken over or is broken might send it: no 5xx,
// every answer in the envelope, and never without the token. ROWBENCH_PROOF=long makes more calls.
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { procedures, type ProcedureName } from '../../src-main/contract/index.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { sampleWorkflows, startTestApp } from '../builders/start-test-app.ts';
import { isLong, report } from './length.ts';

const callsPerProcedure = isLong ? 1000 : 20;
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

/** What a procedure's own schema names. */
function fieldsOf(name: ProcedureName): InputFields {
  const schema = z.toJSONSchema(procedures[name].input, { io: 'input', unrepresentable: 'any' });
  return { properties: Object.keys(schema.properties ?? {}), required: schema.required ?? [] };
}

/** What the schema names, mostly with values that may fit. */
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
    return fc.tuple(isThere, value).map(([there, given]) => (there ? [[name, given] as const] : []));
  });
  const some = fc.tuple(...fields).map((pairs) => Object.fromEntries(pairs.flat()) as object);
  return fc.oneof({ weight: 9, arbitrary: some }, oddity);
};

it(
  'no input to a procedure is a 5xx, and none is taken without the token',
  { timeout: 600_000 },
  async () => {
    const errors: unknown[] = [];
    const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
    const { echo, broken } = sampleWorkflows;
    const app = await startTestApp({ workflows: { echo, broken }, limits: 'off', log });
    onTestFinished(() => app.close());
    const runId = await app.run('echo', [{ n: 1 }, { n: 2 }]);
    const ask = (name: string, body: string, token: string) =>
      app.call(`/_rowbench/v1/call/${name}`, {
        method: 'POST',
        key: app.key,
        body,
        headers: { 'content-type': 'application/json', [app.control.header]: token },
      });
    const statuses: Record<number, number> = {};
    const names = (Object.keys(procedures) as ProcedureName[]).filter((name) => !left.has(name));
    for (const name of names) {
      // By its name, so that procedures do not all get the same.
      const own = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed) | 0;
      for (const input of fc.sample(inputFor(runId, fieldsOf(name)), {
        numRuns: callsPerProcedure,
        seed: own,
      })) {
        const body = JSON.stringify(input);
        const { status, body: heard } = await ask(name, body, app.control.token);
        statuses[status] = (statuses[status] ?? 0) + 1;
        expect(status, `${name} ${body}: ${JSON.stringify(heard)}`).toBeLessThan(500);
        expect((heard as { success: boolean }).success, name).toBe(status === 200);
      }
      expect((await ask(name, '{}', app.key)).status, name).toBe(401);
    }
    expect(errors).toEqual([]);
    expect(statuses[200]).toBeGreaterThan(names.length / 2);
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    report(`${names.length} procedures of the control API: ${counts.join(', ')}, no 5xx (seed ${seed})`);
  },
);
