// The first two checks of every call, in their order: its key, then the limit of its operation. Their results are noted
// for the API log.
import type { Context } from 'koa';
import { invalidKey } from '../../domain/request-errors.ts';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import type { Operation } from '../../domain/limits/published-limits.ts';
import type { OpenCall } from '../../services/limit-service.ts';
import { notesOf, type CallNotes } from '../call-notes.ts';
import { replayHeader } from '../key-headers.ts';
import { presentedKey, type PublicCall } from './call-facts.ts';
import type { PublicApiDeps } from './public-api-deps.ts';

export type OpenedCall = { readonly key: ApiKey; readonly call: OpenCall; readonly notes: CallNotes };

/** Throws `invalid_key` or `rate_limited`. */
export async function openCall(
  deps: PublicApiDeps,
  publicCall: PublicCall,
  operation: Operation,
): Promise<OpenedCall> {
  const { context, workflowId, runId } = publicCall;
  const notes = notesOf(context);
  notes.route = operation;
  notes.workflowId = workflowId;
  notes.runId = runId;
  const key = await verifiedKey(deps, context);
  notes.key = key;
  const call = await deps.limits.open({ operation, keyId: key.id, resourceId: runId ?? workflowId });
  notes.charges = call;
  return { key, call, notes };
}

async function verifiedKey(deps: PublicApiDeps, { req: request }: Context): Promise<ApiKey> {
  const token = deps.replayTokens.redeem(request.headers[replayHeader]);
  if (token === undefined) return deps.keys.verify(presentedKey(request, deps.settings().extraKeyHeader));
  if (token.keyId === undefined) throw invalidKey();
  return deps.keys.use(token.keyId);
}
