// `workflows.json`: what the user decided about workflows, apart from their files, so that nothing inside a file can
// grant itself anything. A list, because an id may be `__proto__`.
import { z } from 'zod';
import { addressClasses, type AddressClass } from '../upstream/address-class.ts';
import { workflowIdPattern } from '../workflow/workflow-keys.ts';

/** Networks that a workflow's calls may reach unless the user decides otherwise. */
export const defaultNetwork: readonly AddressClass[] = ['public'];

const trustSchema = z.object({
  /** SHA-256 of the text that was seen, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  /** Hashes of the text with the values of each profile of that time; absent: none. */
  profileHashes: z.array(z.string()).exactOptional(),
  /** Reach of the workflow at that time, with each of its profiles, as `reachKeys` names it. */
  reach: z.array(z.string()),
});

const recordSchema = z.object({
  id: z.string().regex(workflowIdPattern),
  /** Absent for a workflow that is the user's own. */
  importedAt: z.iso.datetime().exactOptional(),
  /** Absent until the user trusts an imported workflow. */
  trusted: trustSchema.exactOptional(),
  /** Absent: `defaultNetwork`. */
  network: z.array(z.enum(addressClasses)).exactOptional(),
});
export type WorkflowRecord = z.infer<typeof recordSchema>;

export const workflowsFileSchema = z.object({ version: z.literal(1), workflows: z.array(recordSchema) });
export type WorkflowsFile = z.infer<typeof workflowsFileSchema>;
