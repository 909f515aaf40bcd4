// GET /openapi.json: the public API described by the schemas that its answers are typed with. Needs no key.
import { z } from 'zod';
import { publishedLimits as limits } from '../../domain/limits/published-limits.ts';
import { scenarioHeader } from './scenario-header.ts';
import { errorSchema, outputSchema, statusSchema, triggerBodySchema, triggeredSchema } from './answers.ts';

const runsPath = '/api/v1/workflows/{workflowId}/runs';

/** An OpenAPI 3.1 document. `version` is the program's; the interface's own is part of every path. */
export function describeApi(version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workflow Run Service',
      version,
      description: 'Start an asynchronous run of a workflow, check its status, and fetch its output.',
    },
    security: [{ serviceKey: [] }],
    paths: {
      [`${runsPath}/async`]: { post: describeTrigger() },
      [`${runsPath}/{runId}/async/status`]: { get: describeStatus() },
      [`${runsPath}/{runId}/async/response`]: { get: describeOutput() },
    },
    components: {
      securitySchemes: { serviceKey: { type: 'apiKey', in: 'header', name: 'x-service-key' } },
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

const describeTrigger = (): object => ({
  operationId: 'triggerRun',
  summary: 'Trigger async run',
  description: `At most ${limits.trigger} calls a minute for a key and ${limits['trigger-per-workflow']} for a workflow.`,
  parameters: [parameter('workflowId', 'The workflow to run.'), scenarioParameter],
  requestBody: { required: true, content: jsonOf('TriggerBody') },
  responses: {
    201: {
      description: 'The run is accepted and durable.',
      content: jsonOf('Triggered'),
      headers: scenarioHeaders,
    },
    400: failure('The body is not an object with a `rows` array of objects.'),
    ...failures('Workflow not found'),
    413: failure('The body or its number of rows is over the limit.'),
    422: failure('The workflow file has errors.'),
    503: failure('The data folder is full or could not be written.', true),
  },
});

const describeStatus = (): object => ({
  operationId: 'getRunStatus',
  summary: 'Get run status',
  description: `At most ${limits.status} calls a minute for a key and ${limits['status-per-run']} for a run.`,
  parameters: runParameters(),
  responses: {
    200: { description: 'Where the run stands.', content: jsonOf('Status'), headers: scenarioHeaders },
    ...failures('Workflow not found, or Workflow run not found'),
  },
});

const describeOutput = (): object => ({
  operationId: 'getRunOutput',
  summary: 'Get run output',
  description: `Only when the status is \`completed\`. At most ${limits.output} calls a minute for a key.`,
  parameters: runParameters(),
  responses: {
    200: {
      description: 'One entry for each processed row.',
      content: jsonOf('Output'),
      headers: scenarioHeaders,
    },
    400: failure('Workflow run is not completed.'),
    ...failures('Workflow not found, or Workflow run not found'),
  },
});

const failures = (notFound: string): Record<number, object> => ({
  401: failure('Invalid API key'),
  403: failure('The key has no access to the workflow, or it was imported and is not trusted.'),
  404: failure(notFound),
  429: failure('Rate limit exceeded.', true),
});

function failure(description: string, mayRetry = false): object {
  const retryAfter = {
    description: 'Seconds to wait before the next call.',
    schema: { type: 'integer', minimum: 1 },
  };
  return {
    description,
    content: jsonOf('Error'),
    ...(mayRetry ? { headers: { 'Retry-After': retryAfter } } : {}),
  };
}

const runParameters = (): readonly object[] => [
  parameter('workflowId', 'The workflow that the run belongs to.'),
  parameter('runId', 'Returned by the trigger.'),
];

const parameter = (name: string, description: string): object => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});

const scenarioExample = 'queued-for=10s,fail-row=3';

const scenarioParameter = {
  name: scenarioHeader,
  in: 'header',
  required: false,
  description:
    'Makes the run difficult on purpose, to try a client out. Refused with 400 unless scenarios are turned on.',
  schema: { type: 'string' },
  example: scenarioExample,
};

const scenarioHeaders = {
  [scenarioHeader]: {
    description: 'Only of a run with a scenario: which one.',
    schema: { type: 'string' },
    example: scenarioExample,
  },
};

const jsonOf = (schema: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

/** Without the dialect, which the document states once for all by its version. */
function schemaOf(schema: z.ZodType): object {
  const described = { ...z.toJSONSchema(schema) };
  delete described.$schema;
  return described;
}
