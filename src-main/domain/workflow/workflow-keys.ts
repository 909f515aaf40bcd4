import { z } from 'zod';
import { fieldKind } from '../nodes/field-kind.ts';
import { varsSchema } from './variables.ts';

export const workflowIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The format that this program reads and writes. */
export const formatVersion = 1;

export const maxNodes = 1000;

/** The keys of a workflow file. Its nodes stay unparsed here: they are parsed one by one. */
export const workflowKeys = z.strictObject({
  $schema: z.string().exactOptional().describe('For editors only.'),
  rowbench: z.literal(formatVersion).describe('Version of the file format.'),
  id: z
    .string()
    .regex(workflowIdPattern, 'A workflow id is 1 to 64 letters, digits, "_" and "-"')
    .describe('The workflow id in every path of the API.'),
  name: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .meta({ title: 'Name' })
    .describe('For people. Without it: the id.'),
  description: z
    .string()
    .max(10_000)
    .exactOptional()
    .meta({ title: 'Description' })
    .describe('What the workflow is for.'),
  vars: varsSchema
    .exactOptional()
    .meta({ title: 'Variables', ...fieldKind('vars') })
    .describe(
      'Values that all rows have in common, by name: expressions read `vars.<name>`, and a profile can replace them. Null: no value, a profile must give one.',
    ),
  concurrency: z
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .meta({ title: 'Rows at once' })
    .describe('Rows in flight at once while they wait. Without it: 16.'),
  onRowError: z
    .enum(['fail', 'skip'])
    .default('fail')
    .meta({ title: 'If a row fails' })
    .describe(
      '`fail`: the first failed row ends the run. `skip`: the row has no output and the run goes on.',
    ),
  tokenBudget: z
    .int()
    .min(1)
    .max(1_000_000_000_000)
    .exactOptional()
    .meta({ title: 'Token budget' })
    .describe(
      'Tokens that the `llm` nodes of a run may use, in and out. No row starts after that; rows in flight end.',
    ),
  onBudget: z
    .enum(['pause', 'fail'])
    .exactOptional()
    .meta({ title: 'Once it is used up' })
    .describe(
      'What happens to a run whose `tokenBudget` is used up. `pause`: it waits, and **Resume** allows as many tokens again. `fail`: it fails, and the error names budget and use. Without it: `pause` for runs that the app starts, else `fail`.',
    ),
  nodes: z.array(z.unknown()).min(1).max(maxNodes).describe('The nodes, in any order.'),
});
