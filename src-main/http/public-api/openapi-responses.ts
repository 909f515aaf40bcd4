// The answers of /openapi.json: one response object per HTTP status, with headers and an example for each cause.
// Example messages come from the factories that the server throws, so that they cannot differ. Used by openapi.ts.
import type { AppError } from '../../base/app-error.ts';
import {
  bodyTooLarge,
  expectationFailed,
  guardRefused,
  headersTooLarge,
  invalidBody,
  invalidKey,
  keyNotAllowed,
  malformedRequest,
  methodNotAllowed,
  rateLimited,
  requestTimedOut,
  tooManyConnections,
} from '../../domain/request-errors.ts';
import {
  runNotCompleted,
  runNotFound,
  scenarioFailed,
  scenarioLimited,
  scenariosOff,
} from '../../domain/run-errors.ts';
import { workflowInvalid, workflowNotFound, workflowUntrusted } from '../../domain/workflow-errors.ts';
import { publishedLimits, type LimitName, type Operation } from '../../domain/limits/published-limits.ts';
import { diskFull, storeDegraded } from '../../domain/store-errors.ts';
import { internalErrorMessage } from '../error-response.ts';
import type { GuardRefusal } from '../guard.ts';
import { type StatusAnswer, type Triggered, scenarioHeader } from './answers.ts';

/** Identifiers that the examples share: those of the sample workflow and of a run of it. */
export const sampleIds = {
  workflowId: 'score-leads',
  runId: '01932f5c-7d1e-7c4a-9b3f-5d2c8e1a4f60',
} as const;

export const sampleScenario = 'queued-for=10s,fail-row=3';

type HeaderName = 'Retry-After' | 'Allow' | 'x-rowbench-limit' | 'x-rowbench-limits' | typeof scenarioHeader;

/** The header objects of `components.headers`. */
export const describedHeaders: Readonly<Record<HeaderName, object>> = {
  'Retry-After': {
    required: true,
    description:
      'Whole seconds to wait. On 429 the same call is accepted after that time, unless another client of the same key, ' +
      'workflow or run has used the limit up meanwhile. On 503 it is an estimate.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  Allow: {
    required: true,
    description: 'The method that the path is answered to.',
    schema: { type: 'string' },
    example: 'GET',
  },
  'x-rowbench-limit': {
    required: true,
    description:
      'The limit that was exceeded; `scenario` where the scenario of the run asked for the refusal. Rowbench only: the ' +
      'hosted service does not send it.',
    schema: {
      type: 'string',
      enum: [...(Object.keys(publishedLimits) as LimitName[]), 'scenario'],
    },
    example: 'status-per-run',
  },
  'x-rowbench-limits': {
    description:
      'Sent while the limits are not the published ones: `off`, or how many times the published number applies (`10x`). ' +
      'Rowbench only.',
    schema: { type: 'string', pattern: '^(off|[0-9]+x)$' },
    example: 'off',
  },
  [scenarioHeader]: {
    description: 'The scenario of the run; absent for a run without one. Rowbench only.',
    schema: { type: 'string' },
    example: sampleScenario,
  },
};

type Examples = Readonly<Record<string, unknown>>;

/** A response object: a description, a schema by its name in `components.schemas`, and its examples by their names. */
function response(
  description: string,
  schema: 'Triggered' | 'Status' | 'Output' | 'Error',
  { examples, headers }: { readonly examples: Examples; readonly headers: readonly HeaderName[] },
): object {
  const named = [...headers, 'x-rowbench-limits'] as const;
  return {
    description,
    headers: Object.fromEntries(named.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: valuesOf(examples),
      },
    },
  };
}

export const valuesOf = (examples: Examples): object =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

type Causes = Readonly<Record<string, AppError>>;

/** The response of an error status. `causes`: an error for each way in which the status comes about, by a name. */
const refusal = (description: string, causes: Causes, headers: readonly HeaderName[] = []): object =>
  response(description, 'Error', {
    examples: Object.fromEntries(
      Object.entries(causes).map(([name, { message }]) => [name, failed(message)]),
    ),
    headers,
  });

const failed = (error: string): object => ({ success: false, error });

/** Error responses that are the same on every operation, for `components.responses`. */
export const sharedResponses = {
  InvalidKey: refusal('The key is missing, unknown or revoked, or more than one was sent.', {
    invalidKey: invalidKey(),
  }),
  MethodNotAllowed: refusal(
    'The path was called with another method, HEAD and OPTIONS included.',
    { methodNotAllowed: methodNotAllowed('GET') },
    ['Allow'],
  ),
  ExpectationFailed: refusal('The `Expect` header asks for something other than `100-continue`.', {
    expectationFailed: expectationFailed(),
  }),
  HeadersTooLarge: refusal('The request has more than 100 headers, or more than 16 KiB of them.', {
    headersTooLarge: headersTooLarge(),
  }),
} as const;

const limitHeaders = ['Retry-After', 'x-rowbench-limit'] as const;

/** 503 of every operation; a trigger is refused where its rows could not be stored. */
const unavailable = refusal(
  'The server cannot take the call now: it has as many connections as it serves at once, the disk is full, or the data ' +
    'folder cannot be written. Nothing was started.',
  {
    tooManyConnections: tooManyConnections(),
    diskFull: diskFull(12_000_000, 64_000_000),
    storeDegraded: storeDegraded(),
  },
  ['Retry-After'],
);

const refusedBy = (refusal: GuardRefusal): AppError => guardRefused(refusal);

const accessRefusals = {
  keyNotAllowed: keyNotAllowed(),
  foreignHost: refusedBy(
    'The Host header does not name this server. The setting "allowedHosts" allows further names',
  ),
  foreignOrigin: refusedBy('Requests from other origins are refused'),
} as const;

const browserRefusal =
  'or the request names a host that is not this server, or comes from a web page of another origin.';

/** The responses of the trigger, by HTTP status. */
export const triggerResponses = (): object => ({
  201: response('The run is accepted and durable.', 'Triggered', {
    examples: {
      accepted: {
        success: true,
        data: { ...sampleIds, status: 'queued' },
      } satisfies Triggered,
    },
    headers: [scenarioHeader],
  }),
  400: refusal(
    'The body is not a JSON object with a `rows` array of objects, the scenario header cannot be read or scenarios ' +
      'are turned off, or the request is not well-formed HTTP.',
    {
      rowsMissing: invalidBody('"rows" is missing'),
      notJson: invalidBody('its Content-Type must be application/json in UTF-8'),
      scenariosOff: scenariosOff(),
      malformedRequest: malformedRequest(),
    },
  ),
  401: shared('InvalidKey'),
  403: refusal(
    `The key has no access to the workflow, the workflow was imported and is not trusted, ${browserRefusal}`,
    { ...accessRefusals, workflowUntrusted: workflowUntrusted(sampleIds.workflowId) },
  ),
  404: refusal('There is no such workflow.', { workflowNotFound: workflowNotFound() }),
  405: shared('MethodNotAllowed'),
  408: refusal('The headers, or the next piece of the body, did not arrive in time.', {
    headers: requestTimedOut('headers'),
    body: requestTimedOut('body'),
  }),
  413: refusal('The body has too many bytes or too many rows.', {
    tooManyBytes: bodyTooLarge('it has more than 1000000000 bytes'),
    tooManyRows: bodyTooLarge('it has more than 1000000 rows'),
  }),
  417: shared('ExpectationFailed'),
  422: refusal('The workflow is known, but its file has errors.', {
    workflowInvalid: workflowInvalid(sampleIds.workflowId, ['line 7, column 5: there is no node "leed"']),
  }),
  429: limited('trigger'),
  431: shared('HeadersTooLarge'),
  500: internalError({}),
  503: unavailable,
});

/** The responses of the status, by HTTP status. */
export const statusResponses = (): object => ({
  200: response('The status of the run.', 'Status', {
    examples: statusExamples(),
    headers: [scenarioHeader],
  }),
  400: refusal('The request is not well-formed HTTP.', { malformedRequest: malformedRequest() }),
  ...readingFailures('status'),
});

/** The responses of the output, by HTTP status. */
export const outputResponses = (): object => ({
  200: response('One entry for each processed row.', 'Output', {
    examples: {
      twoRows: {
        success: true,
        data: {
          '5d2c8e1a4f60_000001': { title: 'Ada Lovelace (2 tags)', label: 'hot' },
          '5d2c8e1a4f60_000002': { title: 'Grace Hopper (0 tags)', label: 'warm' },
        },
      },
      noRows: { success: true, data: {} },
    },
    headers: [scenarioHeader],
  }),
  400: refusal(
    'The run is not `completed`, or the request is not well-formed HTTP.',
    {
      running: runNotCompleted('running'),
      failed: runNotCompleted('failed', runError),
      malformedRequest: malformedRequest(),
    },
    [scenarioHeader],
  ),
  ...readingFailures('output'),
});

const runError = 'Node "email" failed on row 3: alan(at)bletchley.example is not an email address: no @';

function statusExamples(): Examples {
  const startedAt = '2026-01-15T09:30:00.000Z';
  const finishedAt = '2026-01-15T09:30:02.417Z';
  const answer = (data: StatusAnswer['data']): StatusAnswer => ({ success: true, data });
  return {
    queued: answer({ status: 'queued', startedAt, finishedAt: null }),
    running: answer({ status: 'running', startedAt, finishedAt: null }),
    paused: answer({ status: 'paused', startedAt, finishedAt: null }),
    completed: answer({ status: 'completed', startedAt, finishedAt }),
    failed: answer({ status: 'failed', startedAt, finishedAt, error: runError }),
    cancelled: answer({ status: 'cancelled', startedAt, finishedAt }),
  };
}

/** Error responses of the two operations that read a run; their own 400 comes on top. */
const readingFailures = (operation: 'status' | 'output'): object => ({
  401: shared('InvalidKey'),
  403: refusal(`The key has no access to the workflow, ${browserRefusal}`, accessRefusals),
  404: refusal('There is no such workflow, or it has no such run; the oldest finished runs are removed.', {
    workflowNotFound: workflowNotFound(),
    runNotFound: runNotFound(),
  }),
  405: shared('MethodNotAllowed'),
  408: refusal('The headers did not arrive in time.', { headers: requestTimedOut('headers') }),
  417: shared('ExpectationFailed'),
  429: limited(operation, [scenarioHeader]),
  431: shared('HeadersTooLarge'),
  500: internalError({ scenario: scenarioFailed() }, [scenarioHeader]),
  503: unavailable,
});

const shared = (name: keyof typeof sharedResponses): object => ({ $ref: `#/components/responses/${name}` });

function limited(operation: Operation, headers: readonly HeaderName[] = []): object {
  const scenario = operation === 'trigger' ? {} : { scenario: scenarioLimited() };
  return refusal(
    'A limit is exceeded. Wait as long as `Retry-After` says; a call that is refused so is not counted.',
    { rateLimited: rateLimited(12, operation), ...scenario },
    [...limitHeaders, ...headers],
  );
}

function internalError(causes: Causes, headers: readonly HeaderName[] = []): object {
  const examples = Object.fromEntries(
    Object.entries(causes).map(([name, { message }]) => [name, failed(message)]),
  );
  const unexpected = failed(internalErrorMessage('7f0c2d1e-5a4b-4c3d-8e2f-1a0b9c8d7e6f'));
  return response('Something failed inside the server; its log says what.', 'Error', {
    examples: { unexpected, ...examples },
    headers,
  });
}
