import { z } from 'zod';
import { invisibleName, isVisible } from '../domain/visible-name.ts';
import { nothing, procedure, workflowId, type Nothing } from './procedure.ts';
import type { KeyTest, KeyTestView } from './key-test.ts';
import type { CreatedKey, KeyView } from './views.ts';

export const keyProcedures = {
  'key.list': procedure<Nothing, readonly KeyView[]>(nothing),
  'key.create': procedure<{ name: string; workflows: string[] | null }, CreatedKey>(
    z.strictObject({
      name: z.string().trim().min(1).max(100).refine(isVisible, invisibleName),
      workflows: z.array(workflowId).min(1).max(1000).nullable(),
    }),
  ),
  /** The answer that the HTTP interface would give, and why; nothing is started, charged or noted. */
  'key.test': procedure<KeyTest, KeyTestView>(
    z.strictObject({
      key: z.string().max(10_000),
      workflowId: z.string().max(1000),
      runId: z.string().max(1000).optional(),
    }),
  ),
  'key.revoke': procedure<{ id: string }, KeyView>(z.strictObject({ id: z.string().max(64) })),
};
