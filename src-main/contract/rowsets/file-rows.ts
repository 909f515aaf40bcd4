// A file of rows that the app sends whole, because it is too large for a page: how the server reads it.
import { z } from 'zod';
import { lookupText } from '../../domain/lookup-text.ts';

const decimal = z.enum(['.', ',']).optional();
const order = z.enum(['dmy', 'mdy', 'ymd']).optional();

const repair = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trim') }),
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({ kind: z.literal('numbers'), decimal, unit: z.string().max(10).optional() }),
  z.strictObject({ kind: z.literal('dates'), order }),
]);

const column = z.strictObject({
  name: z.string(),
  target: z.string().max(1000).optional(),
  type: z.enum(['string', 'number', 'boolean', 'array', 'object', 'any']),
  repairs: z.array(repair).max(4),
});

/** The first line of the body; the file's bytes follow it. */
export const sentFile = z.strictObject({
  /** Name of the file, which may say its form. */
  name: lookupText.max(1000),
  /** Options as they are written, such as `{ "header": "3" }`. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  columns: z.array(column).max(20_000),
});
export type SentFile = z.infer<typeof sentFile>;
