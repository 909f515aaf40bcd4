import { z } from 'zod';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { numberSettings, type NumberSetting } from './number-settings.ts';
import { profileNamePattern } from './profiles/profile-names.ts';
import { parseScenario } from './scenarios/parse-scenario.ts';
import { workflowIdPattern } from './workflow/workflow-keys.ts';

/** How the interface's rate limits apply: as published, a whole multiple of that, or not at all. */
export const limitModeSchema = z.union(
  [z.literal('published'), z.literal('off'), z.strictObject({ scale: z.number().int().min(1).max(1000) })],
  { error: 'Expected "published", "off" or { "scale": N } with N from 1 to 1000' },
);
export type LimitMode = z.infer<typeof limitModeSchema>;

const scenario = z.string().superRefine((text, context) => {
  for (const message of parseScenario(text).problems) context.addIssue({ code: 'custom', message });
});

const port = z.number().int().min(1).max(65_535);
/** Headers that HTTP, browsers or Rowbench fill: a key would be looked for in what is in every request. */
const takenHeader =
  /^(?:(?:accept|content|if|proxy|sec|upgrade|x-forwarded|x-rowbench)(?:-.*)?|host|connection|keep-alive|transfer-encoding|te|trailer|user-agent|cookie|date|expect|forwarded|last-event-id|origin|pragma|cache-control|range|referer|via)$/;
export const extraKeyHeader = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'A header name is 1 to 64 lower-case letters, digits and "-"')
  .refine((name) => !takenHeader.test(name), 'This header has another use');
const allowedHosts = z
  .array(
    z
      .string()
      .regex(
        /^[a-z0-9.-]{1,253}:\d{1,5}$/,
        'Expected host:port in lower case, for example host.docker.internal:4170',
      )
      .refine((host) => Number(host.slice(host.indexOf(':') + 1)) <= 65_535, 'A port is at most 65535'),
  )
  .max(100);
const wholeNumber = (name: NumberSetting) => {
  const { min, max, initial } = numberSettings[name];
  return z.number().int().min(min).max(max).default(initial);
};
export const retentionSchema = z.strictObject({
  days: z.number().int().min(1).max(36_500).default(30),
  /** Size of the store, in 10^9 bytes. */
  gigabytes: z.number().min(0.1).max(100_000).default(5),
});
const scenarios = z.strictObject({
  header: z.boolean().default(false),
  workflows: z.record(z.string().regex(workflowIdPattern), scenario).default({}),
});
const modelPrice = z.number().min(0).max(1_000_000);
const modelPrices = z.record(
  z.string().regex(/^[^\s,]{1,200}$/, 'The name of a model has no blanks and commas'),
  z.strictObject({ input: modelPrice, output: modelPrice }),
);
/** `settings.json`. Every field has a default, so an empty document is a valid one. */
export const settingsSchema = z.strictObject({
  version: z.literal(1),
  limits: limitModeSchema.default('published'),
  /** The port that is listened on where the command line names none; without it 4170. */
  port: port.optional(),
  /** A second header that may carry the key: the deployed service names its header after itself. */
  extraKeyHeader: extraKeyHeader.optional(),
  /** Further `host:port` values that a client may address us by, for example from a container. */
  allowedHosts: allowedHosts.default([]),
  maxBodyBytes: wholeNumber('maxBodyBytes'),
  maxRows: wholeNumber('maxRows'),
  runsAtOnce: wholeNumber('runsAtOnce'),
  rowTimeLimitMs: wholeNumber('rowTimeLimitMs'),
  workerMemoryMb: wholeNumber('workerMemoryMb'),
  /** Finished runs beyond either bound are deleted, oldest first; never in their first day, and live runs never. */
  retention: retentionSchema.default({ days: 30, gigabytes: 5 }),
  /** Scenarios of new runs: whether a request header may name one, and the default of each workflow by its id. */
  scenarios: scenarios.default({ header: false, workflows: {} }),
  /** The profile of new runs that name none; without it the defaults of the workflows. */
  profile: z
    .string()
    .regex(profileNamePattern, 'A profile has a name of 1 to 64 letters, digits, "_" and "-"')
    .optional(),
  /** `environment`: calls go through the proxy that HTTP_PROXY and HTTPS_PROXY name, except to the hosts in NO_PROXY. */
  proxy: z.enum(['off', 'environment']).default('off'),
  /** Prices of a million tokens by model, for the cost of runs (`domain/results/model-price.ts`). */
  modelPrices: modelPrices.default({}),
  /** Shows or hides the first steps for new users. */
  firstSteps: z.enum(['shown', 'dismissed']).default('shown'),
  /** `ask`: the desktop app checks for updates, and asks before it downloads one. */
  updates: z.enum(['ask', 'off']).default('ask'),
});
export type Settings = z.infer<typeof settingsSchema>;
/** All but the version, which is the file's own. */
export type SettingName = Exclude<keyof Settings, 'version'>;

const { shape } = settingsSchema.omit({ version: true });
type Shape = typeof shape;
type ChangeShape = {
  [Name in SettingName]: z.ZodExactOptional<z.ZodNullable<ReturnType<Shape[Name]['unwrap']>>>;
};
const changeable = Object.entries(shape).map(([name, value]) => [
  name,
  value.unwrap().nullable().exactOptional(),
]);

export const settingsChangeSchema = z.strictObject({
  ...(Object.fromEntries(changeable) as ChangeShape),
  extraKeyHeader: extraKeyHeader
    .refine((name) => name !== 'x-service-key', 'Keys are looked for in this header anyway')
    .nullable()
    .exactOptional(),
});
/** New values of some settings; null goes back to the default. What is not named stays. */
export type SettingsChange = ReadonlyDeep<z.infer<typeof settingsChangeSchema>>;

export const defaultSettings: Settings = settingsSchema.parse({ version: 1 });

/** The settings after a change. */
export function changeSettings(settings: Settings, change: SettingsChange): Settings {
  const entries = Object.entries({ ...settings, ...change }).filter(([, value]) => value !== null);
  return settingsSchema.parse(Object.fromEntries(entries));
}
