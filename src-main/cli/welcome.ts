import type { JsonObject } from '../base/json-value.ts';
import type { EntryLink } from '../contract/index.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import { callSnippet, shellOf, type SnippetCall } from './trigger-snippet.ts';

export type WelcomeFacts = {
  readonly url: string;
  /** Lets one browser into the app. */
  readonly link: EntryLink;
  /** The secret of the key that the very first start made. */
  readonly firstKey: string | undefined;
  /** A workflow that can run, if there is one. */
  readonly workflow: Workflow | undefined;
  /** What calls this program. */
  readonly command: string;
  /** What follows a call that opens the same data folder: empty, or `--data DIR`. */
  readonly dataArgument: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
};

/** What stands below the ready line: the key where it is new, and three calls to paste. */
export function welcome(facts: WelcomeFacts): string {
  const { firstKey, workflow } = facts;
  const key =
    firstKey === undefined
      ? `Make a key with: ${facts.command} keys create --name NAME${facts.dataArgument}`
      : `Your first API key, shown this once: ${firstKey}`;
  const app = `Open the app: ${facts.link.url}\n(works once, within ${facts.link.minutes} minutes; then: ${facts.command} open${facts.dataArgument})`;
  if (workflow === undefined)
    return `\n${app}\n\n${key}\nNo workflow can run yet: ${facts.command} serve --workflows DIR\n`;
  const apiKey = firstKey ?? 'YOUR_KEY';
  const shell = shellOf(facts.platform, facts.env);
  const runs = `${facts.url}/api/v1/workflows/${workflow.id}/runs`;
  const line = (call: Omit<SnippetCall, 'shell' | 'apiKey'>): string =>
    `  ${callSnippet({ ...call, shell, apiKey })}\n`;
  return [
    `\n${app}\n\n${key}\n`,
    `\nStart a run of "${workflow.name}":\n`,
    line({ method: 'POST', url: `${runs}/async`, body: JSON.stringify({ rows: sampleRows(workflow) }) }),
    `\nAsk for its status, then for its output (put the answer's runId in place of RUN_ID):\n`,
    line({ method: 'GET', url: `${runs}/RUN_ID/async/status` }),
    line({ method: 'GET', url: `${runs}/RUN_ID/async/response` }),
    '\n',
  ].join('');
}

/** Longer rows than this would hide the rest of the line. */
const longestRow = 200;

/** The workflow's own first test row where it is short; else a row with its declared fields. */
function sampleRows(workflow: Workflow): readonly JsonObject[] {
  const input = workflow.nodes.find((node) => node.type === 'input');
  const { testRows, fields = [] } = input?.config ?? {};
  const first = Array.isArray(testRows) ? testRows[0] : undefined;
  if (first !== undefined && JSON.stringify(first).length <= longestRow) return [first];
  return [Object.fromEntries(fields.map(([name, { type }]) => [name, samples[type]]))];
}

const samples = { string: 'text', number: 1, boolean: true, array: [], object: {}, any: 'text' } as const;
