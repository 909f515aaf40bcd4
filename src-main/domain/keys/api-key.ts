import { z } from 'zod';

/** A key as stored: never the key itself. */
const apiKeySchema = z.object({
  id: z.string(),
  name: z.string().min(1).max(100),
  /** SHA-256 of the key, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The key's last four characters, to recognise it by. */
  last4: z.string(),
  /** The workflows that it opens; null: all. */
  workflows: z.array(z.string()).nullable(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  calls: z.number().int().nonnegative(),
  revokedAt: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** `keys.json`. */
export const keysFileSchema = z.object({ version: z.literal(1), keys: z.array(apiKeySchema) });
export type KeysFile = z.infer<typeof keysFileSchema>;

export const mayUse = (key: ApiKey, workflowId: string): boolean =>
  key.workflows === null || key.workflows.includes(workflowId);
