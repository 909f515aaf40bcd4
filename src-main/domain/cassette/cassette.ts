// A cassette: recorded answers of services, so that runs can be replayed without them. Users read the file, edit it
// and keep it beside a workflow. It holds requests as nodes made them, where a secret is only a name.
import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.ts';

/** The newest version of the format that this program writes and reads. */
export const cassetteVersion = 1;

/** More than a person keeps in a repository; what is read is held in memory. */
export const maxCassetteBytes = 50_000_000;

/** Levels of nesting in a body, as in rows. */
export const deepestBody = 100;
/** In a file five levels stand around a response's body. */
export const deepestCassette = deepestBody + 5;

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9a-z-]+$/, 'Expected the name of a header in lower case');
const headers = z.record(z.string(), z.string());
/** A value from JSON.parse, which needs no second check. */
const json = z.unknown().transform((value) => value as JsonValue);

const body = {
  json: json.exactOptional(),
  text: z.string().exactOptional(),
  base64: z.base64().exactOptional(),
};
type BodyKeys = { json?: unknown; text?: unknown; base64?: unknown };
const hasOneBody = (value: BodyKeys): boolean =>
  [value.json, value.text, value.base64].filter((form) => form !== undefined).length <= 1;
const oneBody = { message: 'Expected one body: json, text or base64' };

export const recordedRequest = z
  .strictObject({
    method: z.string().min(1),
    url: z.string().min(1),
    headers: headers.exactOptional(),
    ...body,
  })
  .refine(hasOneBody, oneBody);

const answered = z
  .strictObject({
    status: z.int().min(100).max(599),
    headers: headers.exactOptional(),
    /** Final address of a call that was redirected. */
    url: z.string().min(1).exactOptional(),
    /** Milliseconds that `Retry-After` meant at recording time: a date in the header is past by now. */
    retryAfterMs: z.number().nonnegative().exactOptional(),
    ...body,
  })
  .refine(hasOneBody, oneBody);

/** Never recorded, since an outage of one moment would be there for ever; for those who write one by hand. */
const failed = z.strictObject({ failed: z.string().min(1) });

export const recordedResponse = z.union([answered, failed]);

export const cassetteEntry = z.strictObject({
  request: recordedRequest,
  /** The place in the workflow that alone gets these answers; without it they are for every place. */
  place: z.string().exactOptional(),
  /** For people. */
  recordedAt: z.iso.datetime().exactOptional(),
  /** One for each attempt; the last stands for all after it. */
  responses: z.array(recordedResponse).min(1),
});

export const cassetteSchema = z.strictObject({
  rowbench: z.literal(cassetteVersion),
  /** Request headers that must be equal, in lower case. */
  matchHeaders: z.array(headerName).default(['content-type']),
  /** Response headers to record beside those that always are. */
  keepHeaders: z.array(headerName).default([]),
  entries: z.array(cassetteEntry),
});

export type Cassette = z.output<typeof cassetteSchema>;
export type CassetteEntry = Cassette['entries'][number];
export type RecordedRequest = CassetteEntry['request'];
export type RecordedResponse = CassetteEntry['responses'][number];
export type RecordedBody = Pick<RecordedRequest, 'json' | 'text' | 'base64'>;

export const emptyCassette: Cassette = {
  rowbench: cassetteVersion,
  matchHeaders: ['content-type'],
  keepHeaders: [],
  entries: [],
};
