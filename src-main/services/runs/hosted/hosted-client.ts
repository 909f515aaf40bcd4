// The calls of the interface document to a hosted service. Who calls: HostedRun, and the test of a connection.
// INVARIANT: a call is sent once. Each goes over a connection of its own, so that a cut means what it seems to mean.
import type { Clock } from '../../../base/clock.ts';
import {
  describeAnswer,
  problemOf,
  readStatus,
  readTrigger,
  type HostedAnswer,
  type HostedProblem,
  type StatusOutcome,
  type TriggerOutcome,
} from '../../../domain/hosted/hosted-answers.ts';
import {
  type ConnectionProbe,
  type ProbedCall,
  type StoredConnection,
} from '../../../domain/hosted/hosted-connection.ts';
import type { UpstreamRequest } from '../../../executor/ports.ts';
import type { Broker } from '../../../executor/upstream/broker.ts';
import { isLoopbackOrigin } from './hosted-origin.ts';

/** Limits of a broker for hosted calls. */
export const hostedBounds = {
  redirects: 0,
  reusesConnections: false,
  bodyBytes: 64_000_000,
  retryAfterMs: 3_600_000,
} as const;

/** Time until a POST counts as unanswered, and for an output, in ms. */
const triggerMs = 120_000;
const outputMs = 600_000;

/** The id of a run that cannot exist, for the test of a connection. */
const impossibleRunId = 'rowbench-connection-test';

type HostedFailure = {
  readonly kind: 'failed';
  readonly message: string;
  /** Nothing has left this machine. */
  readonly isNotSent?: true;
  readonly isTooLarge?: true;
};

type HostedRequest = Partial<UpstreamRequest> &
  Pick<UpstreamRequest, 'url'> & { readonly signal: AbortSignal; readonly sendsKey?: boolean };

/** A run at a service. */
type RunThere = {
  readonly connection: StoredConnection;
  readonly workflowId: string;
  /** The id that the service gave. */
  readonly runId: string;
};

export class HostedClient {
  readonly #broker: Pick<Broker, 'request'>;
  readonly #clock: Clock;

  constructor(deps: { readonly broker: Pick<Broker, 'request'>; readonly clock: Clock }) {
    this.#broker = deps.broker;
    this.#clock = deps.clock;
  }

  /** Sends rows. */
  async trigger(
    {
      connection,
      workflowId,
      lines,
    }: {
      readonly connection: StoredConnection;
      readonly workflowId: string;
      /** One JSON object a line. */
      readonly lines: string;
    },
    signal: AbortSignal,
  ): Promise<TriggerOutcome> {
    const body = `{"rows":[${lines.trimEnd().replaceAll('\n', ',')}]}`;
    const url = `${workflowUrl(connection, workflowId)}/runs/async`;
    const headers = [['content-type', 'application/json']] as const;
    const request = { method: 'POST', url, headers, body, timeoutMs: triggerMs };
    const { answer } = await this.#call(connection, { ...request, signal });
    if (!('kind' in answer)) return readTrigger(answer);
    return { kind: answer.isNotSent === true ? 'notSent' : 'unknown', message: answer.message };
  }

  async status({ connection, ...run }: RunThere, signal: AbortSignal): Promise<StatusOutcome> {
    const { answer } = await this.#call(connection, { url: statusUrl(connection, run), signal });
    return 'kind' in answer ? { kind: 'problem', message: answer.message } : readStatus(answer);
  }

  /** The answer with the outputs of a completed run, as it came. */
  async output(
    { connection, workflowId, runId }: RunThere,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'output'; readonly body: Uint8Array } | HostedProblem> {
    const url = `${workflowUrl(connection, workflowId)}/runs/${encodeURIComponent(runId)}/async/response`;
    const { answer } = await this.#call(connection, { url, timeoutMs: outputMs, signal });
    if ('kind' in answer) return { ...answer, kind: 'problem' };
    return answer.status === 200 ? { kind: 'output', body: answer.body } : problemOf(answer);
  }

  /** Asks for a run that cannot exist, with the key and without it: two calls that start nothing. */
  async probe(
    connection: StoredConnection,
    workflowId: string,
    signal: AbortSignal,
  ): Promise<ConnectionProbe> {
    const url = statusUrl(connection, { workflowId, runId: impossibleRunId });
    const ask = async (sendsKey: boolean) => {
      const since = this.#clock.monotonic();
      const called = await this.#call(connection, { url, signal, sendsKey });
      const ms = Math.round(this.#clock.monotonic() - since);
      const { answer } = called;
      const text = 'kind' in answer ? answer.message : describeAnswer(answer);
      const status = 'kind' in answer ? {} : { status: answer.status };
      return { call: { ...status, text, ms }, date: called.date };
    };
    const { call: withKey, date } = await ask(true);
    const { call: withoutKey } = await ask(false);
    const problem = problemWith(connection, withKey, withoutKey);
    const clockAheadMs = date === undefined ? NaN : Date.parse(date) - this.#clock.now();
    return {
      withKey,
      withoutKey,
      ...(Number.isNaN(clockAheadMs) ? {} : { clockAheadMs }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  async #call(
    connection: StoredConnection,
    { method = 'GET', headers = [], signal, sendsKey = true, ...request }: HostedRequest,
  ): Promise<{ readonly answer: HostedAnswer | HostedFailure; readonly date?: string | undefined }> {
    const auth = sendsKey ? { auth: { secret: connection.name, header: connection.header } } : {};
    const answer = await this.#broker.request(
      { ...request, method, headers: [...headers, ['accept', 'application/json']], ...auth },
      signal,
      grantOf(connection),
    );
    if (answer.kind === 'failed') {
      const { missingGrant, message, isNotSent, isTooLarge } = answer;
      const advice =
        missingGrant?.network === 'lan'
          ? `${connection.origin} is in the local network: add the connection with --lan`
          : undefined;
      return {
        answer: {
          kind: 'failed',
          message: advice ?? message,
          ...(isNotSent === true ? { isNotSent } : {}),
          ...(isTooLarge === true ? { isTooLarge } : {}),
        },
      };
    }
    const header = (name: string): string | undefined => answer.headers.find(([each]) => each === name)?.[1];
    const { status, body, retryAfterMs } = answer;
    return { answer: { status, body, retryAfterMs, location: header('location') }, date: header('date') };
  }
}

const grantOf = ({ name, origin, isLan }: StoredConnection) => ({
  workflowId: name,
  classes: [
    'public' as const,
    ...(isLan === true ? ['lan' as const] : []),
    ...(isLoopbackOrigin(origin) ? ['loopback' as const] : []),
  ],
});

const workflowUrl = ({ origin }: StoredConnection, workflowId: string): string =>
  `${origin}/api/v1/workflows/${encodeURIComponent(workflowId)}`;

const statusUrl = (
  connection: StoredConnection,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): string => `${workflowUrl(connection, workflowId)}/runs/${encodeURIComponent(runId)}/async/status`;

/** The first difference from the interface document; undefined: there is none. */
function problemWith(
  { header, origin }: StoredConnection,
  withKey: ProbedCall,
  withoutKey: ProbedCall,
): string | undefined {
  const { status, text } = withKey;
  if (status === undefined) return `${origin} could not be asked: ${text}`;
  if (status === 401) return `The key is not accepted in the header ${header}: check both`;
  if (status === 403) return 'The key has no access to this workflow';
  if (status !== 404) return `With the key it ${text}; expected 404`;
  if (/^answered 404: Workflow not found/i.test(text)) return 'The service does not know this workflow';
  if (withoutKey.status !== 401) return `Without the key it ${withoutKey.text}; expected 401`;
  return undefined;
}
