// The networks that a workflow's calls may reach. The user grants them; a workflow's own file cannot.
import type { Call, WorkflowView } from '#contract';

export type Network = WorkflowView['network'][number];

export const networks: readonly { readonly id: Network; readonly title: string; readonly hint: string }[] = [
  { id: 'public', title: 'Internet', hint: 'any public address' },
  { id: 'lan', title: 'Local network', hint: '10.x, 192.168.x and the like' },
  { id: 'loopback', title: 'This machine', hint: 'localhost, 127.x' },
];

type Grant = { readonly network: Network; readonly isAllowed: boolean };

export async function grantNetwork(
  call: Call,
  workflowId: string,
  { network, isAllowed }: Grant,
): Promise<void> {
  await call('workflow.grant', { workflowId, [isAllowed ? 'allow' : 'deny']: [network] });
}

/** `Internet allowed`, for the message after a grant. */
export function grantLabel({ network, isAllowed }: Grant): string {
  const title = networks.find(({ id }) => id === network)?.title ?? network;
  return `${title} ${isAllowed ? 'allowed' : 'denied'}`;
}
