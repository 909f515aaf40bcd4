// The schema of a tests file. The published JSON Schema is made of it too.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { rowsSource } from '../nodes/rows-source.ts';
import { siblingPath } from '../nodes/sibling-path.ts';
import { refuse } from '../nodes/slot-problems.ts';
import { nodeEnds } from '../results/trace-form.ts';
import { parseScenario } from '../scenarios/parse-scenario.ts';
import type { Scenario, ScenarioKey } from '../scenarios/scenario.ts';
import { formatVersion } from '../workflow/workflow-keys.ts';
import { outputRules, scoring } from './rule-keys.ts';

const output = z
  .unknown()
  .transform((json, context): JsonObject | null =>
    json === null || isJsonObject(json)
      ? json
      : refuse(context, [
          { message: 'Expected an output: names with values, or null for a row without one' },
        ]),
  )
  .meta({ type: ['object', 'null'], additionalProperties: true });

const expectedRows = z.array(output);

const expectedFile = siblingPath.refine(
  (path) => path.endsWith('.json'),
  'Expected a file whose name ends in ".json"',
);

const nodeTrace = z.strictObject({
  status: z.enum(nodeEnds).exactOptional().describe('How the node ended.'),
  attempts: z.number().int().nonnegative().exactOptional().describe('All attempts, of all items.'),
  value: z
    .unknown()
    .transform((json) => json as JsonValue)
    .optional()
    .describe('What the node gave; objects in it may leave out what does not matter.'),
});

const rowTrace = z.strictObject({
  row: z.number().int().min(1).describe('The number of the row, from 1.'),
  nodes: z
    .record(z.string(), nodeTrace)
    .refine((nodes) => Object.keys(nodes).length > 0, 'Expected a node')
    .transform((nodes) => nodes as JsonObject)
    .describe('What must be known of nodes, by their ids.'),
});

const expectation = z
  .strictObject({
    status: z.enum(['completed', 'failed']).describe('How the run must end.'),
    rows: z
      .union([expectedFile, expectedRows])
      .exactOptional()
      .describe(
        'The outputs in row order, null for a row without one: a list, or a .json file beside this one with such a list. Without it: any outputs.',
      ),
    contains: z
      .boolean()
      .default(false)
      .describe('Let the objects in `rows` leave out what does not matter, at any depth. Without it: false.'),
    ignore: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe(
        'Fields that are left out when `rows` are compared, by name, or by path such as `meta.requestId`. Items of a list are meant by the path of the list.',
      ),
    tolerance: z
      .number()
      .positive()
      .exactOptional()
      .describe('How much a number may differ from the one in `rows`.'),
    fields: outputRules.exactOptional(),
    score: scoring.exactOptional(),
    error: z.string().min(1).exactOptional().describe('Text that the error of a failed run must contain.'),
    trace: z
      .array(rowTrace)
      .min(1)
      .exactOptional()
      .describe('How nodes must have ended in rows, and what they must have given.'),
  })
  .superRefine(({ status, error, ...rest }, context) => {
    const unmet = (['rows', 'fields', 'score'] as const).filter((key) => rest[key] !== undefined);
    if (status === 'failed')
      for (const key of unmet)
        context.addIssue({ code: 'custom', message: 'A failed run has no outputs', path: [key] });
    for (const key of ['ignore', 'tolerance'] as const)
      if (rest[key] !== undefined && rest.rows === undefined)
        context.addIssue({ code: 'custom', message: 'There are no "rows" to compare', path: [key] });
    if (status === 'completed' && error !== undefined)
      context.addIssue({ code: 'custom', message: 'A completed run has no error', path: ['error'] });
  });

const cassetteFile = siblingPath.refine(
  (path) => path.endsWith('.cassette.json'),
  'Expected a file whose name ends in ".cassette.json"',
);

/**
 * Parts that a test may not have: its run has no queue, pause or cancel. `api-429` and `api-5xx` are allowed without
 * effect: no client calls the API about the run of a test.
 */
export const runOnlyScenarioKeys: readonly ScenarioKey[] = ['queued-for', 'pause-at', 'cancel-at'];

const scenario = z
  .string()
  .transform((text, context): Scenario => {
    const { scenario: parsed = {}, problems } = parseScenario(text);
    const foreign = runOnlyScenarioKeys.filter((part) => Object.hasOwn(parsed, part));
    const messages = [...problems, ...foreign.map((part) => `a test has no "${part}"`)];
    return messages.length === 0
      ? parsed
      : refuse(context, [{ message: `The scenario cannot be read: ${messages.join('; ')}` }]);
  })
  .meta({ type: 'string' });

const testKeys = z.strictObject({
  name: z.string().min(1).max(200).describe('What the test shows; each name once in a file.'),
  rows: rowsSource.describe(
    'The rows of the run: a list, or a file beside this one, such as `orders.csv` or `{ file: orders.csv, header: 3 }`.',
  ),
  mocks: z
    .record(z.string(), z.string())
    .default({})
    .describe('Nodes that answer from one of their `mock` entries, with the name of that entry.'),
  cassette: cassetteFile
    .exactOptional()
    .describe(
      'Recorded answers to the calls of the nodes: a file beside this one, which a recording of the test writes.',
    ),
  clock: z
    .enum(['virtual', 'real'])
    .default('virtual')
    .describe(
      '`virtual`: delays and pauses take no time. `real`: they take as long as they say. Default: virtual.',
    ),
  scenario: scenario
    .exactOptional()
    .describe(
      'What the run goes through on purpose, such as `upstream-429=0.3` or `fail-row=2`; see the guide on scenarios.',
    ),
  repeat: z
    .strictObject({
      times: z.int().min(2).max(100).describe('How often the test runs, each time with another seed.'),
      passRate: z
        .number()
        .positive()
        .max(1)
        .default(1)
        .describe('Share of the runs that must pass. Default: 1, all.'),
    })
    .exactOptional()
    .describe('Runs the test several times, for workflows with random numbers.'),
  expect: expectation.describe('What must come of the run.'),
});

export const testsKeys = z.strictObject({
  $schema: z.string().exactOptional().describe('For editors only.'),
  rowbench: z.literal(formatVersion).default(formatVersion).describe('Version of the file format.'),
  tests: z.array(testKeys).min(1).max(1000).describe('The tests, each a run of its own.'),
});
