// The reach of a workflow, for users to review before they trust it: the hosts that it calls, the secrets that it
// sends along, and all of its code. Pure: made of the parsed workflow alone.
import { targetOf } from '../nodes/catalogue.ts';
import type { Value } from '../expressions/value.ts';
import { secretOf } from '../nodes/call-auth.ts';
import type { ActionTargets } from '../nodes/node-type.ts';
import type { Workflow, WorkflowNode } from '../workflow/workflow.ts';
import { originOf, writtenText } from './call-origin.ts';
import { codeOf, type CodeUse } from './code-use.ts';

type CallUse = {
  readonly nodeId: string;
  /** Line of the node in the file, from 1. */
  readonly line: number;
  /** Scheme, host and port; null where they are computed when the workflow runs. */
  readonly origin: string | null;
  /** As its author wrote it. */
  readonly url: string;
  /** Name of the secret that is sent along. */
  readonly secret?: string;
};

export type Reach = {
  readonly calls: readonly CallUse[];
  /** Ids of the workflows that it runs on its rows. Each is trusted for itself. */
  readonly workflows: readonly string[];
  /** Every expression that is more than a path into the row, and every body of code, in the order of the file. */
  readonly code: readonly CodeUse[];
};

export const findReach = ({ nodes }: Workflow): Reach => ({
  calls: nodes.flatMap((node) => {
    const call = targetOf('call', node);
    return call === undefined ? [] : toUses(node, call);
  }),
  workflows: [...new Set(nodes.flatMap((node) => targetOf('workflow', node)?.workflowId ?? []))],
  code: nodes.flatMap(codeOf),
});

/** The call, and that of the token endpoint before it. */
function toUses({ id, line }: WorkflowNode, { url, auth }: ActionTargets['call']): readonly CallUse[] {
  const secret = auth === undefined ? {} : { secret: secretOf(auth) };
  const urls: Value[] = [url];
  if (auth !== undefined && 'oauth2' in auth) urls.push({ kind: 'literal', value: auth.oauth2.tokenUrl });
  return urls.map((each) => ({
    nodeId: id,
    line,
    origin: originOf(each) ?? null,
    url: writtenText(each),
    ...secret,
  }));
}

/** Stands for all hosts: an author who changes the workflow can choose any of them. */
const anyHost = 'a host computed at run time';

/**
 * Hosts, secrets and workflows that trust covers, each as a text. Code is not among them: the sandbox confines code to
 * this reach, and a change of code is the commonest edit that a user makes.
 */
export const reachKeys = ({ calls, workflows }: Reach): readonly string[] => [
  ...new Set(
    calls.flatMap(({ origin, secret }) => {
      const host = origin ?? anyHost;
      return secret === undefined ? [host] : [host, `the secret ${secret} to ${host}`];
    }),
  ),
  ...workflows.map((id) => `the workflow ${id}`),
];

/** Keys of the reach that the user has not seen, and the computed host always; empty when trust covers the reach. */
export const reachBeyond = (reach: Reach, seen: readonly string[]): readonly string[] =>
  reachKeys(reach).filter((key) => key === anyHost || !seen.includes(key));
