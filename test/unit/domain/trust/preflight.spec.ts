import { expect, it } from 'vitest';
import { callProblems, missingSecrets } from '../../../../src-main/domain/trust/preflight.ts';
import type { Reach } from '../../../../src-main/domain/trust/reach.ts';

const call = (origin: string | null, secret?: string): Reach['calls'][number] => ({
  nodeId: 'call',
  line: 1,
  origin,
  url: origin ?? '=row.url',
  ...(secret === undefined ? {} : { secret }),
});
const flow = (...calls: Reach['calls']) => ({
  id: 'flow',
  reach: { calls, workflows: [], code: [] },
  network: ['public'] as const,
});

it('a workflow whose secrets are stored and whose networks are granted has no problem', () => {
  const secrets = [{ name: 'TOKEN', hosts: ['api.example.com', 'plain.example:8080'] }];
  const calls = [
    call('https://api.example.com', 'TOKEN'),
    call('https://api.example.com:443', 'TOKEN'),
    call('http://plain.example:8080', 'TOKEN'),
    call('https://93.184.216.34'),
    call(null, 'TOKEN'),
  ];
  expect(callProblems([flow(...calls)], secrets)).toEqual([]);
});

it('a secret that is not stored is named once, with the hosts that it has to be bound to', () => {
  const calls = [
    call('https://api.example.com', 'TOKEN'),
    call('http://127.0.0.1:9000', 'TOKEN'),
    call('https://api.example.com', 'TOKEN'),
  ];
  expect(callProblems([{ ...flow(...calls), network: ['public', 'loopback'] }], [])).toEqual([
    { kind: 'secret-missing', secret: 'TOKEN', hosts: ['api.example.com', '127.0.0.1:9000'] },
  ]);
});

it('a secret that is not bound to a host that the workflow sends it to is named with that host', () => {
  const secrets = [{ name: 'TOKEN', hosts: ['api.example.com'] }];
  const calls = [call('https://api.example.com', 'TOKEN'), call('http://api.example.com', 'TOKEN')];
  expect(callProblems([flow(...calls)], secrets)).toEqual([
    { kind: 'secret-not-bound', secret: 'TOKEN', hosts: ['api.example.com:80'], bound: ['api.example.com'] },
  ]);
});

it.each([
  ['http://localhost:8080', 'loopback'],
  ['http://127.0.0.1', 'loopback'],
  ['http://[::1]:80', 'loopback'],
  ['https://192.168.1.2', 'lan'],
])('a call of %s needs the network %s', (origin, network) => {
  expect(callProblems([flow(call(origin), call('https://example.com'))], [])).toEqual([
    { kind: 'network', workflowId: 'flow', network, origins: [origin] },
  ]);
});

it('missing secrets are named with the workflows that name them', () => {
  const one = { ...flow(call('https://api.example.com', 'TOKEN')), id: 'one' };
  const two = { ...flow(call('https://other.example.com', 'TOKEN'), call(null, 'STORED')), id: 'two' };
  expect(missingSecrets([one, two], [{ name: 'STORED', hosts: ['x.example.com'] }])).toEqual([
    { name: 'TOKEN', hosts: ['api.example.com', 'other.example.com'], workflowIds: ['one', 'two'] },
  ]);
});
