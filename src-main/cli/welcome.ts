import type { EntryLink } from '../contract/index.ts';
import type { JsonObject } from '../base/json-value.ts';
import { callSnippet, shellOf, type SnippetCall } from './trigger-snippet.ts';

export type ShownWorkflow = { readonly id: string; readonly name: string; readonly sampleRow: JsonObject };

export type WelcomeOptions = {
  readonly url: string;
  /** Lets one browser into the app. */
  readonly link: EntryLink;
  /** The secret of the key that the very first start made. */
  readonly firstKey: string | undefined;
  /** A workflow that can run, and a row to try it with; undefined where none can. */
  readonly workflow: ShownWorkflow | undefined;
  /** The command that starts this program. */
  readonly command: string;
  /** Suffix for commands that open the same data folder: empty, or ` --data "DIR"`. */
  readonly dataArgument: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
};

/** The text below the ready line: the key where it is new, and three calls to paste. */
export function welcome(options: WelcomeOptions): string {
  const { firstKey, workflow } = options;
  const key =
    firstKey === undefined
      ? `Make a key with: ${options.command} keys create --name NAME${options.dataArgument}`
      : `Your first API key, shown this once: ${firstKey}`;
  const app = `Open the app: ${options.link.url}\n(works once, within ${options.link.minutes} minutes; then: ${options.command} open${options.dataArgument})`;
  if (workflow === undefined)
    return `\n${app}\n\n${key}\nNo workflow can run yet: ${options.command} serve --workflows DIR\n`;
  const apiKey = firstKey ?? 'YOUR_KEY';
  const shell = shellOf(options.platform, options.env);
  const runs = `${options.url}/api/v1/workflows/${workflow.id}/runs`;
  const line = (call: Omit<SnippetCall, 'shell' | 'apiKey'>): string =>
    `  ${callSnippet({ ...call, shell, apiKey })}\n`;
  return [
    `\n${app}\n\n${key}\n`,
    `\nStart a run of "${workflow.name}":\n`,
    line({ method: 'POST', url: `${runs}/async`, body: JSON.stringify({ rows: [workflow.sampleRow] }) }),
    `\nAsk for its status, then for its output (put the answer's runId in place of RUN_ID):\n`,
    line({ method: 'GET', url: `${runs}/RUN_ID/async/status` }),
    line({ method: 'GET', url: `${runs}/RUN_ID/async/response` }),
    '\n',
  ].join('');
}
