// What the user is asked before a workflow may do more, outside of any page, and the call itself once they agree. The
// words name what the server knows, not what the page says of it.
import { AppError } from '../../base/app-error.ts';
import { parseInput } from '../../contract/parse-input.ts';
import type { AskedAnswer, AskedCall, Handlers, Input, PreviewedWorkflow } from '../../contract/index.ts';

export type Question = { readonly message: string; readonly detail: string; readonly verb: string };
type Reach = PreviewedWorkflow['reach'];

type Given = {
  readonly handlers: Pick<Handlers, AskedCall | 'workflow.show' | 'workflow.inspect'>;
  readonly agrees: (question: Question) => Promise<boolean>;
};

/** Answers as the procedure does; `declined` where the user did not agree. */
export async function askFirst<Name extends AskedCall>(
  name: Name,
  given: unknown,
  { handlers, agrees }: Given,
): Promise<AskedAnswer<Name>> {
  try {
    const input = parseInput(name, given) as Input<Name>;
    const questions: { readonly [N in AskedCall]: (input: Input<N>) => Promise<Question | undefined> } = {
      'workflow.trust': (wish) => ofTrust(wish, handlers),
      'workflow.grant': (wish) => ofGrant(wish, handlers),
      'workflow.import': (wish) => ofImport(wish, handlers),
    };
    const question = await questions[name](input);
    if (question !== undefined && !(await agrees(question)))
      return { code: 'declined', message: 'Nothing was changed: you did not agree' };
    const call = handlers[name] as Handlers[Name];
    return { data: await call(input) };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
}

async function ofTrust({ workflowId }: Input<'workflow.trust'>, handlers: Given['handlers']) {
  const { name, reach } = await handlers['workflow.show']({ workflowId });
  const detail = reach === undefined ? 'Its file has errors.' : reachWords(reach);
  return { message: `Trust the workflow “${plain(name)}”?`, detail, verb: 'Trust' };
}

const networkWords = {
  public: 'any address on the internet',
  lan: 'addresses of the local network',
  loopback: 'programs on this machine',
} as const;

async function ofGrant({ workflowId, allow = [] }: Input<'workflow.grant'>, handlers: Given['handlers']) {
  // Less than before needs nobody's word.
  if (allow.length === 0) return undefined;
  const { name, reach } = await handlers['workflow.show']({ workflowId });
  const networks = [...new Set(allow)].map((network) => networkWords[network]).join(' and ');
  return {
    message: `Let the workflow “${plain(name)}” reach ${networks}?`,
    detail: reach === undefined ? 'Its file has errors.' : reachWords(reach),
    verb: 'Allow',
  };
}

async function ofImport({ trusted, ...wish }: Input<'workflow.import'>, handlers: Given['handlers']) {
  if (trusted === undefined) return undefined;
  const { workflows } = await handlers['workflow.inspect'](wish);
  const detail = workflows.map(({ name, reach }) => `“${plain(name)}”\n${reachWords(reach)}`);
  const what = workflows.length === 1 ? 'this workflow' : `these ${workflows.length} workflows`;
  return { message: `Import and trust ${what}?`, detail: few(detail, '\n\n'), verb: 'Import and trust' };
}

/** As much as a dialog holds. */
const mostNamed = 8;
const longest = 80;

function reachWords({ calls, workflows, code }: Reach): string {
  const origins = [...new Set(calls.map(({ origin }) => origin ?? 'hosts computed when it runs'))];
  const secrets = [...new Set(calls.flatMap(({ secret }) => secret ?? []))];
  const lines = [`It calls ${origins.length === 0 ? 'nothing outside' : few(origins.map(plain))}.`];
  if (secrets.length > 0) lines.push(`It sends the secrets ${few(secrets.map(plain))}.`);
  if (workflows.length > 0) lines.push(`It runs the workflows ${few(workflows.map(plain))}.`);
  if (code.length > 0) lines.push('It has code of its own.');
  return lines.join('\n');
}

function few(names: readonly string[], between = ', '): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(between);
}

/** A text of the file's author, without what would break or turn a line. */
function plain(text: string): string {
  const letters = Array.from(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' '));
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest).join('')}…`;
}
