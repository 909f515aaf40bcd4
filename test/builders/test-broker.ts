// The broker over real connections, with the grants of the test, and calls through it.
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import type { Secret } from '../../src-main/domain/secrets/secret.ts';
import type { AddressClass } from '../../src-main/domain/upstream/address-class.ts';
import type { CallContext, UpstreamAnswer, UpstreamRequest } from '../../src-main/executor/ports.ts';
import { Broker, type BrokerOptions } from '../../src-main/executor/upstream/broker.ts';

type TestBrokerOptions = Omit<Partial<BrokerOptions>, 'secrets'> & {
  readonly granted?: readonly AddressClass[];
  readonly secrets?: readonly Secret[];
};

/** The answer to a call, in the form that is easiest to compare. */
type Heard =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly text: string;
      readonly headers: Map<string, string>;
    }
  | Extract<UpstreamAnswer, { kind: 'failed' }>;

type TestCall = string | (Partial<UpstreamRequest> & { url: string });
type Ask<T> = (request: TestCall, context?: Partial<CallContext>) => Promise<T>;

/** Both take the URL of a GET, or a request. */
export type TestBroker = {
  readonly broker: Broker;
  readonly call: Ask<UpstreamAnswer>;
  readonly ask: Ask<Heard>;
};

/** Granted loopback, where tests have their services, unless the test says otherwise. */
export function testBroker({
  granted = ['loopback'],
  secrets = [],
  ...options
}: TestBrokerOptions = {}): TestBroker {
  const broker = new Broker({
    secrets: { find: async (name) => secrets.find((secret) => secret.name === name) },
    ownPorts: () => [],
    userAgent: 'Rowbench/test',
    clock: systemClock,
    log: silentLog,
    ...options,
  });
  onTestFinished(() => broker.close());
  const upstream = broker.upstream({ workflowId: 'flow', classes: granted });
  const call: TestBroker['call'] = (testCall, context = {}) => {
    const request = typeof testCall === 'string' ? { url: testCall } : testCall;
    return upstream.call(
      { method: 'GET', headers: [], ...request },
      {
        idempotencyKey: 'run/row/node',
        signal: new AbortController().signal,
        origin: { row: 1, site: 'node', attempt: 1 },
        ...context,
      },
    );
  };
  const ask: TestBroker['ask'] = async (request, context) => {
    const answer = await call(request, context);
    if (answer.kind === 'failed') return answer;
    return {
      kind: 'answered',
      status: answer.status,
      text: Buffer.from(answer.body).toString(),
      headers: new Map(answer.headers),
    };
  };
  return { broker, call, ask };
}
