// Whatever JSON a row holds comes back equal through a workflow that passes it on: over HTTP, to disk, through the
// sandbox, to disk and out again.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outputPath, sampleWorkflows, startTestApp, type TestApp } from '../../builders/start-test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, limits: 'off' });
});

afterAll(() => app.close());

async function throughTheApp(body: string): Promise<unknown[]> {
  const reply = await app.trigger('echo', body);
  expect(reply.status).toBe(201);
  const { runId } = (reply.body as { data: { runId: string } }).data;
  await expect
    .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  const output = await app.call(outputPath('echo', runId));
  return Object.values((output.body as { data: Record<string, { row: unknown }> }).data).map(
    ({ row }) => row,
  );
}

const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    '',
    '0',
    'row',
  ),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.boolean(),
    ),
    fc.constantFrom(
      null,
      -0,
      5e-324,
      Number.MAX_VALUE,
      '\ud800',
      '\udfff\ud800',
      '\u2028',
      '</script>',
      '\u0000',
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));
const row = fc.array(fc.tuple(key, value), { maxLength: 5 }).map(Object.fromEntries);

it('any row comes back equal', async () => {
  const rows = fc.sample(row, 3000);
  const body = JSON.stringify({ rows });
  const sent = (JSON.parse(body) as { rows: unknown[] }).rows;
  const back = await throughTheApp(body);
  const texts = (values: readonly unknown[]): string[] => values.map((each) => JSON.stringify(each));
  expect(texts(back)).toEqual(texts(sent));
});

it('a row may be large in every direction', async () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index]));
  const rows = [{ text: 'x'.repeat(9_900_000) }, many, { ['k'.repeat(1_000_000)]: 1 }];
  expect(JSON.stringify(await throughTheApp(JSON.stringify({ rows })))).toBe(JSON.stringify(rows));
});
