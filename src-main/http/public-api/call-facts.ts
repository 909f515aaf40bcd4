// The facts that a call carries: its key, and the workflow and run that its path names.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { invalidKey } from '../../domain/request-errors.ts';
import { runNotFound } from '../../domain/run-errors.ts';
import { isLookupText } from '../../domain/lookup-text.ts';
import { workflowNotFound } from '../../domain/workflow-errors.ts';
import { keyHeader } from '../logged-headers.ts';

/** A call to one of the routes, and what its path names, whether or not it can be anything's id. */
export type PublicCall = {
  readonly context: Context;
  readonly workflowId: string;
  /** Not of the trigger. */
  readonly runId: string | undefined;
};

/** A part of a path. What no store could look up, or is escaped wrongly, stands for itself, and is the id of nothing. */
export function pathPart(escaped: string): string {
  if (!escaped.includes('%')) return escaped;
  try {
    const part = decodeURIComponent(escaped);
    return isLookupText(part) ? part : escaped;
  } catch {
    return escaped;
  }
}

/** The one key that was sent, in whichever header; undefined for none. Throws `invalid_key` for more than one. */
export function presentedKey(request: IncomingMessage, extraHeader: string | undefined): string | undefined {
  const { rawHeaders } = request;
  let key: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase();
    if (name !== keyHeader && (extraHeader === undefined || name !== extraHeader)) continue;
    if (key !== undefined) throw invalidKey();
    key = rawHeaders[index + 1];
  }
  return key;
}

/** Throws `workflow_not_found` for what no workflow can be called, before anything is looked up by it. */
export function assertWorkflowId(id: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw workflowNotFound();
}

/** Throws `run_not_found` for what no run can be called. */
export function assertRunId(id: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw runNotFound();
}
