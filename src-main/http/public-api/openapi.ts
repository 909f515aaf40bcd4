// GET /openapi.json: the public API described by the schemas that its answers are typed with. Needs no key.
import { z } from 'zod';
import { publishedLimits as limits } from '../../domain/limits/published-limits.ts';
import { keyHeader } from '../logged-headers.ts';
import {
  errorSchema,
  outputSchema,
  statusSchema,
  triggerBodySchema,
  triggeredSchema,
  scenarioHeader,
} from './answers.ts';
import {
  describedHeaders,
  outputResponses,
  sampleIds,
  sampleScenario,
  sharedResponses,
  statusResponses,
  triggerResponses,
  valuesOf,
} from './openapi-responses.ts';

/**
 * Version of the document and of the interface that it describes, not of the program: the major number is the `v1` of
 * every path, and a release of Rowbench that changes nothing here changes no generated client.
 */
const documentVersion = '1.0.0';

const runsPath = '/api/v1/workflows/{workflowId}/runs';

export type DescribeApiOptions = {
  /** `host:port` by which the client has addressed the server; one of its allowed hosts. */
  readonly host: string;
  /** The setting `extraKeyHeader`. */
  readonly extraKeyHeader: string | undefined;
};

/** An OpenAPI 3.1 document. */
export function describeApi({ host, extraKeyHeader }: DescribeApiOptions): object {
  const schemes = securitySchemes(extraKeyHeader);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workflow Run Service',
      version: documentVersion,
      summary: 'Start asynchronous runs of workflows, check their status, and fetch their output.',
      description: overview(),
      contact: { name: 'Rowbench' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: serverUrl(host), description: 'This Rowbench, by the address that the document came from.' },
    ],
    tags: [
      { name: 'Runs', description: 'Start a run, wait for its end, and fetch what it made of each row.' },
    ],
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    paths: {
      [`${runsPath}/async`]: { post: describeTrigger() },
      [`${runsPath}/{runId}/async/status`]: { get: describeStatus() },
      [`${runsPath}/{runId}/async/response`]: { get: describeOutput() },
    },
    components: {
      securitySchemes: schemes,
      headers: describedHeaders,
      responses: sharedResponses,
      schemas: {
        TriggerBody: schemaOf(triggerBodySchema),
        Triggered: schemaOf(triggeredSchema),
        Status: schemaOf(statusSchema),
        Output: schemaOf(outputSchema),
        Error: schemaOf(errorSchema),
      },
    },
  };
}

/** `localhost` becomes its address: linters take the name for a placeholder, and both loopback addresses are listened on. */
const serverUrl = (host: string): string =>
  `http://${host.toLowerCase().replace(/^localhost:/, '127.0.0.1:')}`;

const overview =
  (): string => `Start a run of a workflow with an array of rows, poll its status, and fetch the output once it is \`completed\`.

## Authentication

Every call carries an API key in the header \`${keyHeader}\`. See the security scheme.

## Envelope

Every body is JSON: \`{"success": true, "data": …}\`, or \`{"success": false, "error": "…"}\` with a message for a person.

## Polling

A run is \`queued\` first. Ask for its status until it is \`completed\`, \`failed\` or \`cancelled\`; \`paused\` and \`pausing\` are not
the end, since a paused run may be resumed. ${limits['status-per-run']} status calls a minute are allowed for a run, so a poll every 10 seconds holds
for a run of any length. The status of a run that has just been accepted is answered up to 50 ms late, when that lets the
answer say how the run ended.

## Limits

Limits count calls within any 60 seconds. A call is judged in this order: key, limit of the key, workflow and access, limit of the
workflow or run, body. A call beyond a limit is answered 429 and not counted; calls that are refused for another
reason after the key was accepted are counted. \`Retry-After\` says how many seconds to wait. \`x-rowbench-limit\` names the limit, and
\`x-rowbench-limits\` is sent while the server's limits are not the published ones.

## Browsers

The key must not be used in client-side code. The server sends no CORS headers, and answers 403 to web pages of other
origins: "try it" buttons of documentation pages do not work against it.`;

function securitySchemes(extraKeyHeader: string | undefined): Record<string, object> {
  const scheme = (name: string, description: string): object => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  const serviceKey = scheme(
    keyHeader,
    'An API key of this Rowbench, made in the app or with `rowbench keys create`, and shown once. Keep it secret, and never ' +
      'use it in client-side code. A missing, unknown or revoked key is answered 401, as are two keys in one request; a key ' +
      'without access to the workflow is answered 403.',
  );
  if (extraKeyHeader === undefined || extraKeyHeader === keyHeader) return { serviceKey };
  const extraKey = scheme(
    extraKeyHeader,
    `The same key in the header of the setting \`extraKeyHeader\`, instead of \`${keyHeader}\`. A request with both is answered 401.`,
  );
  return { serviceKey, extraKey };
}

const describeTrigger = (): object => ({
  operationId: 'triggerRun',
  tags: ['Runs'],
  summary: 'Trigger async run',
  description:
    'Starts a run in the background. Once the answer is 201, the rows are stored durably and the run survives a restart. ' +
    `At most ${limits.trigger} calls a minute for a key and ${limits['trigger-per-workflow']} for a workflow.`,
  parameters: [workflowParameter('The workflow to run.'), scenarioParameter],
  requestBody: {
    required: true,
    description: 'Sent with `Content-Type: application/json`, in UTF-8 and without a `Content-Encoding`.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/TriggerBody' },
        examples: valuesOf({
          oneRow: { rows: [{ name: 'Ada Lovelace', email: 'ada@analytical.example', employees: 120 }] },
          twoRows: {
            rows: [
              {
                name: 'Ada Lovelace',
                email: 'ada@analytical.example',
                employees: 120,
                tags: ['math', 'engines'],
              },
              { name: 'Grace Hopper', email: 'grace@navy.example', employees: 12 },
            ],
          },
          noRows: { rows: [] },
        }),
      },
    },
  },
  responses: triggerResponses(),
});

const describeStatus = (): object => ({
  operationId: 'getRunStatus',
  tags: ['Runs'],
  summary: 'Get run status',
  description: `Poll until the status is \`completed\`, \`failed\` or \`cancelled\`. At most ${limits.status} calls a minute for a key and ${limits['status-per-run']} for a run.`,
  parameters: runParameters(),
  responses: statusResponses(),
});

const describeOutput = (): object => ({
  operationId: 'getRunOutput',
  tags: ['Runs'],
  summary: 'Get run output',
  description: `Call it only once the status is \`completed\`; before that, and for a run that failed, the answer is 400. At most ${limits.output} calls a minute for a key.`,
  parameters: runParameters(),
  responses: outputResponses(),
});

const runParameters = (): readonly object[] => [
  workflowParameter('The workflow that the run belongs to.'),
  pathParameter('runId', 'Returned by the trigger.'),
];

const workflowParameter = (description: string): object => pathParameter('workflowId', description);

const pathParameter = (name: keyof typeof sampleIds, description: string): object => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
  example: sampleIds[name],
});

const scenarioParameter = {
  name: scenarioHeader,
  in: 'header',
  required: false,
  description:
    'Injects failures into the run, to test how a client copes. Refused with 400 unless scenarios are turned on. Rowbench only.',
  schema: { type: 'string' },
  example: sampleScenario,
};

/** Without the dialect, which the version of the document implies, and without zod's long pattern beside `date-time`. */
function schemaOf(schema: z.ZodType): object {
  const described = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  delete described.$schema;
  return described;
}
