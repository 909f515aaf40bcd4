import type { WorkflowDetail } from '#contract';
import type { App } from '../shell/app.svelte.ts';

/**
 * Trusts the file of an import, or takes the trust back, and says so.
 * @param hash of the file that was looked at; absent: it is not trusted any more
 */
export async function decideTrust(
  { session, toasts }: Pick<App, 'session' | 'toasts'>,
  { id: workflowId, name }: WorkflowDetail,
  hash?: string,
): Promise<void> {
  if (hash === undefined) await session.call('workflow.revoke', { workflowId });
  else await session.call('workflow.trust', { workflowId, hash });
  toasts.done(`${name} is ${hash === undefined ? 'not trusted any more' : 'trusted'}`);
}
