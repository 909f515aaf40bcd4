import { expect, it } from 'vitest';
import { plannedCalls } from '../../../src-main/executor/run/planned-calls.ts';
import type { CallContext, UpstreamRequest } from '../../../src-main/executor/ports.ts';
import { planOf } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const around = { idempotencyKey: 'k', origin: { row: 1, site: 'a', attempt: 1 } } as CallContext;

const planWith = (node: string) =>
  planOf(`nodes:
  - { id: input, type: input }
  - ${node}
  - { id: out, type: output, fields: { n: "=row.n" } }
`);
const calling = planWith(
  '{ id: a, type: http, request: { url: "https://x.example/" }, auth: { secret: CRM } }',
);
const silent = planWith('{ id: a, type: delay, for: 1ms }');

async function ask(plan: typeof calling, secret?: string, header?: string) {
  const upstream = scriptedUpstream(() => jsonAnswer({}));
  const request: UpstreamRequest = {
    method: 'GET',
    url: 'https://x.example/',
    headers: [],
    ...(secret === undefined ? {} : { auth: { secret, ...(header === undefined ? {} : { header }) } }),
  };
  const answer = await plannedCalls(plan, upstream).call(request, around);
  return { kind: answer.kind, calls: upstream.requests.length };
}

it('a plan may make the calls of its nodes, with the secrets that they name', async () => {
  expect(await ask(calling)).toEqual({ kind: 'answered', calls: 1 });
  expect(await ask(calling, 'CRM')).toEqual({ kind: 'answered', calls: 1 });
});

it('a call with a secret that no node names, or names for another header, is refused', async () => {
  expect(await ask(calling, 'BANK')).toEqual({ kind: 'failed', calls: 0 });
  expect(await ask(calling, 'CRM', 'x-api-key')).toEqual({ kind: 'failed', calls: 0 });
  expect(await ask(calling, 'CRM', 'authorization')).toEqual({ kind: 'failed', calls: 0 });
});

it('a call of a plan without calling nodes is refused', async () => {
  expect(await ask(silent)).toEqual({ kind: 'failed', calls: 0 });
});
