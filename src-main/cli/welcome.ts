import type { EntryLink } from '../contract/index.ts';
import type { JsonObject } from '../base/json-value.ts';

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

// Lines that a person can paste: one per call of the HTTP interface, quoted for the shell at hand.

export type Shell = 'posix' | 'cmd' | 'powershell';

type SnippetCall = {
  readonly shell: Shell;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly apiKey: string;
  /** JSON text. */
  readonly body?: string;
};

/**
 * The user's shell. On Windows nothing names it; PowerShell alone puts a folder below the user's own into
 * PSModulePath.
 */
export function shellOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Shell {
  if (platform !== 'win32') return 'posix';
  const modulePath = (env['PSModulePath'] ?? '').toLowerCase();
  const home = (env['USERPROFILE'] ?? '').toLowerCase();
  return home !== '' && modulePath.includes(home) ? 'powershell' : 'cmd';
}

/** One line that makes the call. */
export function callSnippet(call: SnippetCall): string {
  return call.shell === 'powershell' ? powershellLine(call) : curlLine(call);
}

function curlLine({ shell, method, url, apiKey, body }: SnippetCall): string {
  const quote = shell === 'cmd' ? cmdQuoted : posixQuoted;
  const json =
    body === undefined ? '' : escapedJson(body, shell === 'cmd' ? unsafeOnWindows : unsafeOnTerminal);
  const sent = body === undefined ? '' : ` -H ${quote('content-type: application/json')} -d ${quote(json)}`;
  const verb = method === 'POST' ? ' -X POST' : '';
  return `curl -sS${verb} ${url} -H ${quote(`x-service-key: ${apiKey}`)}${sent}`;
}

function powershellLine({ method, url, apiKey, body }: SnippetCall): string {
  const sent =
    body === undefined
      ? ''
      : ` -ContentType 'application/json; charset=utf-8' -Body ${powershellQuoted(escapedJson(body, unsafeOnWindows))}`;
  const headers = `@{ 'x-service-key' = ${powershellQuoted(apiKey)} }`;
  return `Invoke-RestMethod -Method ${method} -Uri ${url} -Headers ${headers}${sent} | ConvertTo-Json -Depth 100`;
}

/** Characters that a terminal would obey or hide. JSON escapes the others of that kind itself. */
const unsafeOnTerminal = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/**
 * cmd takes each `\"` for the end of the quotes, so what stands in a text would be read as commands; PowerShell takes
 * curly quotes for straight ones; and neither is sure to hand other characters over unchanged.
 */
const unsafeOnWindows = /[%&|<>^!\u007f-\uffff]/g;

/** The same JSON with those characters as `\u` escapes. Outside of strings JSON has none of them. */
const escapedJson = (json: string, characters: RegExp): string =>
  json.replaceAll(characters, (found) =>
    Array.from(found.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );

const posixQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const powershellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** curl.exe reads \" as a quote; backslashes in front of one are doubled. */
const cmdQuoted = (text: string): string => `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`)}"`;
