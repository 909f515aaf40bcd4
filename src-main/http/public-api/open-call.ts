// The first two checks of every call, in their order: its key, then the limit of its operation. Their results are noted
// for the API log.
import type { Context } from 'koa';
import { invalidKey } from '../../domain/errors.ts';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import type { Operation } from '../../domain/limits/published-limits.ts';
import type { OpenCall } from '../../services/limit-service.ts';
import { notesOf, type CallNotes } from '../call-notes.ts';
import { replayHeader } from '../key-headers.ts';
import { presentedKey, type PublicCall } from './call-facts.ts';
import type { PublicApiParts } from './public-api-parts.ts';

export type OpenedCall = { readonly key: ApiKey; readonly call: OpenCall; readonly notes: CallNotes };

/** Throws `invalid_key` or `rate_limited`. */
export async function openCall(
  parts: PublicApiParts,
  asked: PublicCall,
  operation: Operation,
): Promise<OpenedCall> {
  const { context, workflowId, runId } = asked;
  const notes = notesOf(context);
  notes.route = operation;
  notes.workflowId = workflowId;
  notes.runId = runId;
  const key = await verifiedKey(parts, context);
  notes.key = key;
  const call = await parts.limits.open({ operation, keyId: key.id, resourceId: runId ?? workflowId });
  notes.charges = call;
  return { key, call, notes };
}

async function verifiedKey(parts: PublicApiParts, { req: request }: Context): Promise<ApiKey> {
  const pass = parts.passes.redeem(request.headers[replayHeader]);
  if (pass === undefined) return parts.keys.verify(presentedKey(request, parts.settings().extraKeyHeader));
  if (pass.keyId === undefined) throw invalidKey();
  return parts.keys.use(pass.keyId);
}
