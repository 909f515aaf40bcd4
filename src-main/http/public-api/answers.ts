// The bodies of the public API's answers, once: routes answer with these types and the description of the API is
// made of these schemas.
import type { Context } from 'koa';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { scenariosOff } from '../../domain/run-errors.ts';
import { runStatuses } from '../../domain/run/run-status.ts';
import type { Run } from '../../domain/run/run.ts';
import { readScenario, scenarioText } from '../../domain/scenarios/parse-scenario.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import type { Settings } from '../../domain/settings.ts';

const enveloped = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data });

/** 201 of the trigger. */
export const triggeredSchema = enveloped(
  z.object({
    workflowId: z.string().describe('The workflow identifier.'),
    runId: z.string().describe('Identifier of the new run.'),
    status: z.literal('queued').describe('Always `queued`.'),
  }),
);
export type Triggered = z.infer<typeof triggeredSchema>;

/** 200 of the status. */
export const statusSchema = enveloped(
  z.object({
    status: z
      .enum(runStatuses)
      .describe('`completed`, `failed` and `cancelled` are final; the other statuses are not.'),
    startedAt: z.iso.datetime().describe('Start time; the time of acceptance while the run is queued.'),
    finishedAt: z.iso.datetime().nullable().describe('Null while unfinished.'),
    error: z
      .string()
      .optional()
      .describe('Only when the status is `failed`: names the failed node and the cause.'),
  }),
);
export type StatusAnswer = z.infer<typeof statusSchema>;

/** 200 of the output. It is streamed, so no value of this type is ever built. */
export const outputSchema = enveloped(
  z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe(
      'Map from row identifier to the output object of that row, in row order. A row that failed in a workflow ' +
        'that skips failed rows has no entry.',
    ),
);

/** Every error. */
export const errorSchema = z
  .object({
    success: z.literal(false),
    error: z.string().describe('The reason, for a person. Programs decide by the HTTP status.'),
  })
  .describe('The body of every answer that is not a success.');

/** The trigger's body. It is read as a stream and checked byte by byte; this describes what it must be. */
export const triggerBodySchema = z
  .looseObject({
    rows: z
      .array(z.record(z.string(), z.unknown()))
      .describe("Input data; each object is one row. They replace the workflow's test rows."),
  })
  .describe('Members other than `rows` are ignored.');

/**
 * The header by which a trigger call asks for a scenario, and by which every answer about a run with one says so.
 */
export const scenarioHeader = 'x-rowbench-scenario';

/**
 * The scenario that the call asks for; undefined: none. Throws `invalid_input` for a malformed header, or where the
 * setting is off.
 */
export function requestedScenario(
  { headers }: IncomingMessage,
  setting: Settings['scenarios'],
): Scenario | undefined {
  const text = headers[scenarioHeader];
  if (text === undefined) return undefined;
  if (!setting.header) throw scenariosOff();
  // Sent twice, it is two halves of one list.
  return readScenario(Array.isArray(text) ? text.join(',') : text);
}

export function setScenarioHeader(context: Context, { scenario }: Run): void {
  if (scenario !== undefined) context.set(scenarioHeader, scenarioText(scenario));
}
