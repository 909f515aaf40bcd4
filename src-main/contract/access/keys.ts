// Trying a key out: the answer that the HTTP interface would give, and the facts of key and workflow behind it.
import { z } from 'zod';
import type { ErrorCode } from '../../base/app-error.ts';
import { admin, adminChange, answer, nothing, viewer, workflowId, type ValueOf } from '../procedure.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { invisibleName, isVisible } from '../../domain/visible-name.ts';

const keyTest = z.strictObject({
  /** As it would be sent. It is neither stored nor logged. */
  key: z.string().max(10_000),
  workflowId: lookupText.max(1000),
  /** The run whose status the call asks for; absent for a call that starts a run. */
  runId: lookupText.max(1000).optional(),
});
export type KeyTest = ValueOf<typeof keyTest>;

export type KeyTestView = {
  readonly status: number;
  /** JSON, as it would be sent. */
  readonly body: string;
  /** Absent where nothing is refused. */
  readonly refusal?: ErrorCode;
  readonly retryAfterSeconds?: number;
  /** The key that it is; absent for one that is none of ours. */
  readonly key?: {
    readonly name: string;
    readonly workflows: readonly string[] | null;
    readonly revokedAt: string | null;
  };
  /** A workflow or a key that was likely meant: the same but for a slip. */
  readonly meant?: { readonly workflowId?: string; readonly isKeyWithoutBlanks?: true };
  /** Errors of the workflow's file. */
  readonly problems?: readonly string[];
};

export type KeyView = {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  /** null: all workflows. */
  readonly workflows: readonly string[] | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly calls: number;
  readonly revokedAt: string | null;
};

/** `secret` is shown here and never again. */
export type CreatedKey = { readonly key: KeyView; readonly secret: string };

export const keyProcedures = {
  'key.list': viewer(nothing, answer<readonly KeyView[]>),
  'key.create': adminChange(
    z.strictObject({
      name: lookupText.trim().min(1).max(100).refine(isVisible, invisibleName),
      workflows: z.array(workflowId).min(1).max(1000).nullable(),
    }),
    answer<CreatedKey>,
  ),
  /** The answer that the HTTP interface would give, and why; nothing is started, charged or noted. */
  'key.test': admin(keyTest, answer<KeyTestView>),
  'key.revoke': adminChange(z.strictObject({ id: lookupText.max(64) }), answer<KeyView>),
};
