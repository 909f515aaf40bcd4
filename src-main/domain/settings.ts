import { z } from 'zod';
import { parseScenario } from './scenarios/parse-scenario.ts';
import { workflowIdPattern } from './workflow/workflow-keys.ts';

/** How the interface's rate limits apply: as published, a whole multiple of that, or not at all. */
export const limitModeSchema = z.union([
  z.literal('published'),
  z.literal('off'),
  z.strictObject({ scale: z.number().int().min(1).max(1000) }),
]);
export type LimitMode = z.infer<typeof limitModeSchema>;

const scenario = z.string().superRefine((text, context) => {
  for (const message of parseScenario(text).problems) context.addIssue({ code: 'custom', message });
});

/** `settings.json`. Every field has a default, so an empty document is a valid one. */
export const settingsSchema = z.strictObject({
  version: z.literal(1),
  limits: limitModeSchema.default('published'),
  /** A second header that may carry the key: the deployed service names its header after itself. */
  extraKeyHeader: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .optional(),
  /** Further `host:port` values that a client may address us by, for example from a container. */
  allowedHosts: z.array(z.string().regex(/^[a-z0-9.-]{1,253}:\d{1,5}$/)).default([]),
  /** Largest request body, in bytes. 1 GB holds the 1,000,000 rows below at about 1 KB each. */
  maxBodyBytes: z.number().int().min(1024).default(1_000_000_000),
  /** Most rows in one run. */
  maxRows: z.number().int().min(1).default(1_000_000),
  /** Runs that execute at the same time; the others wait in the queue. */
  runsAtOnce: z.number().int().min(1).max(64).default(8),
  /** CPU time that one node may take on one row before its worker is killed. */
  rowTimeLimitMs: z.number().int().min(100).default(5000),
  /** Heap of one row worker. */
  workerMemoryMb: z.number().int().min(64).max(4096).default(256),
  /** Finished runs beyond either bound are deleted, oldest first; live runs never. */
  retention: z
    .strictObject({ runs: z.number().int().min(1).default(1000), days: z.number().int().min(1).default(30) })
    .default({ runs: 1000, days: 30 }),
  /** What runs go through on purpose: asked for by a request header where that is on, or for every new run of a workflow. */
  scenarios: z
    .strictObject({
      header: z.boolean().default(false),
      workflows: z.record(z.string().regex(workflowIdPattern), scenario).default({}),
    })
    .default({ header: false, workflows: {} }),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({ version: 1 });
