// Advice of the polling doctor on calls that were refused for a reason other than a rate limit.
import { closestName } from '../closest-name.ts';
import { shortId } from '../format.ts';
import { type Advice, clientName } from './advice.ts';
import { wasAnswered, type LoggedCall, type Refusal } from './logged-call.ts';

/** @param calls oldest first */
export function adviseOnRefusals(
  calls: readonly LoggedCall[],
  workflowIds: readonly string[],
): readonly Advice[] {
  const found = new Map<string, Advice>();
  for (const call of calls) {
    if (call.refusal === undefined || call.replayOf !== undefined || !wasAnswered(call)) continue;
    const judged = judgements[call.refusal.code]?.(call, { refusal: call.refusal, workflowIds });
    if (judged === undefined) continue;
    const id = [judged.kind, call.client, judged.about ?? ''].join(' ');
    found.set(id, adviceOf(call, { id, calls: (found.get(id)?.calls ?? 0) + 1, ...judged }));
  }
  return [...found.values()];
}

type Judged = Pick<Advice, 'kind' | 'title' | 'text'> & {
  /** Subject of the advice; calls of one client about one subject share one advice of a kind. */
  readonly about?: string;
};
type Case = { readonly refusal: Refusal; readonly workflowIds: readonly string[] };

function adviceOf(
  { number, at, client, workflowId, runId }: LoggedCall,
  { id, kind, title, text, calls }: Judged & Pick<Advice, 'id' | 'calls'>,
): Advice {
  return {
    id,
    kind,
    isRefused: true,
    client: clientName(client),
    title,
    text,
    calls,
    lastNumber: number,
    lastAt: at,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(runId === undefined ? {} : { runId }),
  };
}

const judgements: Readonly<
  Partial<Record<Refusal['code'], (call: LoggedCall, about: Case) => Judged | undefined>>
> = {
  invalid_key: adviseOnKey,
  key_not_allowed: ({ key, workflowId = '' }) => ({
    kind: 'key-scope',
    about: `${key?.id} ${workflowId}`,
    title: `The key "${key?.name ?? ''}" does not open ${workflowId}`,
    text: `The key …${key?.last4 ?? ''} was made for other workflows. Use one that opens ${workflowId}, or create one.`,
  }),
  workflow_untrusted: ({ workflowId = '' }, { refusal }) => ({
    kind: 'untrusted',
    about: workflowId,
    title: `${workflowId} is not trusted`,
    text: refusal.message,
  }),
  guard_refused: (_call, { refusal }) => ({
    kind: 'guard',
    about: refusal.message,
    title: 'A call was turned away at the door',
    text: guardAdvice[refusal.message] ?? refusal.message,
  }),
  workflow_not_found: ({ workflowId = '' }, { workflowIds }) => {
    const near = closestName(workflowId, workflowIds);
    return {
      kind: 'workflow-unknown',
      about: workflowId,
      title: `There is no workflow "${workflowId.slice(0, 64)}"`,
      text:
        near === undefined
          ? 'The address names a workflow by the id in its file.'
          : `Perhaps ${near} is meant.`,
    };
  },
  run_not_found: ({ runId = '', workflowId = '' }) => ({
    kind: 'run-unknown',
    about: runId,
    title: `${workflowId} has no run ${shortId(runId)}`,
    text: 'It belongs to another workflow, was deleted, or was never started here. Use the runId that the trigger answered with.',
  }),
  route_not_found: ({ path: whole }) => {
    const path = whole.split('?', 1)[0] ?? '';
    const isIdMissing = path.includes('//');
    return {
      kind: 'path-unknown',
      about: path,
      title: isIdMissing ? 'An id is missing in the address' : 'The address is none of the interface’s',
      text: isIdMissing
        ? 'Nothing stands between two slashes of it. The client’s variable is empty: read the run’s id from data.runId of the trigger’s answer.'
        : 'Its three are /api/v1/workflows/{workflowId}/runs/async, …/runs/{runId}/async/status and …/runs/{runId}/async/response, written exactly so.',
    };
  },
  method_not_allowed: ({ method }) => ({
    kind: 'method-wrong',
    about: method,
    title: `${method} is not for this address`,
    text: 'A run is started with POST; its status and output are asked for with GET.',
  }),
};

function adviseOnKey({ client, keyLocation }: LoggedCall): Judged {
  const name = clientName(client);
  if (keyLocation === 'header') {
    return {
      kind: 'key-unknown',
      title: `Invalid key (sent by ${name})`,
      text: 'It was revoked, is not whole, or belongs to another data folder. Copy it again, or create a new one.',
    };
  }
  if (keyLocation === 'nowhere') {
    return {
      kind: 'key-missing',
      title: `Calls of ${name} carry no key`,
      text: 'Every call needs one, in the header x-service-key.',
    };
  }
  return {
    kind: 'key-place',
    title: `${name} has its key in the wrong header`.replace(/^./, (first) => first.toUpperCase()),
    text: `It is sent in "${keyLocation.elsewhere}"; it belongs in x-service-key, alone and without a word before it.`,
  };
}

const guardAdvice: Readonly<Record<string, string>> = {
  'The Host header does not name this server. The setting "allowedHosts" allows further names':
    'Its Host header names another server: a proxy or container that goes by another name. Add that name with its port to "allowedHosts" in the settings.',
  'The Host header does not name this server. It must be the host of --public-url':
    'Its Host header names another server. Call the public URL of this server; a proxy must pass the Host header on unchanged.',
  'This server is used over https. A proxy must send the header "X-Forwarded-Proto: https"':
    'It came by http, or through a proxy that does not say how it came. Call the https address, and set the header in the proxy.',
  'Requests from other sites are refused':
    'It came from a page of another site in a browser. Call from a program of your own instead: keys are not for pages.',
  'Requests from other origins are refused':
    'It came from a page of another origin in a browser. Call from a program of your own instead: keys are not for pages.',
  'The request target must be a path':
    'It was sent as to a proxy, with a whole URL as its target. Call the address directly.',
};
