// Asks the user in a native dialog before a workflow may do more, and makes the call once the user agrees. The
// question states what the server knows, not what the page claims.
import { AppError } from '../../base/app-error.ts';
import { importChanged, workflowChanged } from '../../domain/workflow-errors.ts';
import { parseInput } from '../../contract/parse-input.ts';
import type {
  ConfirmedAnswer,
  ConfirmedCall,
  Handlers,
  CheckedInput,
  PreviewedWorkflow,
} from '../../contract/index.ts';

export type Question = { readonly message: string; readonly detail: string; readonly verb: string };
type Reach = PreviewedWorkflow['reach'];
/** A question, and what throws if what it named is not what is there any more. */
type PreparedQuestion = Question & { readonly assertSame?: () => Promise<void> };

type AskDeps = {
  readonly handlers: Pick<Handlers, ConfirmedCall | 'workflow.show' | 'workflow.inspect'>;
  readonly agrees: (question: Question) => Promise<boolean>;
};

/** Answers as the procedure does; `declined` where the user did not agree. */
export async function askFirst<Name extends ConfirmedCall>(
  name: Name,
  untrusted: unknown,
  { handlers, agrees }: AskDeps,
): Promise<ConfirmedAnswer<Name>> {
  try {
    const input = parseInput(name, untrusted) as CheckedInput<Name>;
    const questions: {
      readonly [N in ConfirmedCall]: (input: CheckedInput<N>) => Promise<PreparedQuestion | undefined>;
    } = {
      'workflow.trust': (call) => ofTrust(call, handlers),
      'workflow.grant': (call) => ofGrant(call, handlers),
      'workflow.import': (call) => ofImport(call, handlers),
    };
    const question = await questions[name](input);
    if (question !== undefined && !(await agrees(question)))
      return { code: 'declined', message: 'Nothing was changed: you did not agree' };
    await question?.assertSame?.();
    const call = handlers[name] as Handlers[Name];
    return { data: await call(input) };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
}

async function ofTrust({ workflowId, hash }: CheckedInput<'workflow.trust'>, handlers: AskDeps['handlers']) {
  const { name, reach, hash: shown } = await handlers['workflow.show']({ workflowId });
  // The user agrees to what the question names. The call itself trusts only the text with that hash.
  if (shown !== hash) throw workflowChanged(workflowId);
  const detail = reach === undefined ? 'Its file has errors.' : reachText(reach);
  return { message: `Trust the workflow “${plain(name)}”?`, detail, verb: 'Trust' };
}

const networkLabels = {
  public: 'any address on the internet',
  lan: 'addresses of the local network',
  loopback: 'programs on this machine',
} as const;

async function ofGrant(
  { workflowId, allow = [] }: CheckedInput<'workflow.grant'>,
  handlers: AskDeps['handlers'],
) {
  // Taking a grant away needs no consent.
  if (allow.length === 0) return undefined;
  const { name, reach, hash } = await handlers['workflow.show']({ workflowId });
  const networks = [...new Set(allow)].map((network) => networkLabels[network]).join(' and ');
  return {
    message: `Let the workflow “${plain(name)}” reach ${networks}?`,
    detail: reach === undefined ? 'Its file has errors.' : reachText(reach),
    verb: 'Allow',
    assertSame: async () => {
      if ((await handlers['workflow.show']({ workflowId })).hash !== hash) throw workflowChanged(workflowId);
    },
  };
}

async function ofImport(
  { trusted, ...options }: CheckedInput<'workflow.import'>,
  handlers: AskDeps['handlers'],
) {
  if (trusted === undefined) return undefined;
  const { workflows, digest } = await handlers['workflow.inspect'](options);
  if (digest !== trusted) throw importChanged();
  const detail = workflows.map(({ name, reach }) => `“${plain(name)}”\n${reachText(reach)}`);
  const what = workflows.length === 1 ? 'this workflow' : `these ${workflows.length} workflows`;
  return { message: `Import and trust ${what}?`, detail: few(detail, '\n\n'), verb: 'Import and trust' };
}

/** Before anything at a UNC path is looked at, be it there or not. */
export const remoteFileQuestion = (file: string, host: string): Question => ({
  message: `Connect to the computer “${plain(host)}”?`,
  detail: `${plain(file)}\n\nTo read this, your computer logs in there and may send your user name and a proof of your password.`,
  verb: 'Connect',
});

/** As much as a dialog holds. */
const maxNamedItems = 8;
const longest = 80;
/** Characters kept from the start of a longer text; the rest come from its end, where a host names its owner. */
const shownOfStart = 20;

function reachText({ calls, workflows, code }: Reach): string {
  // The list is cut, so the most important come first: hosts computed at run time, then hosts that get a secret.
  const weight = ({ origin, secret }: Reach['calls'][number]): number =>
    origin === undefined ? 0 : secret === undefined ? 2 : 1;
  const byWeight = calls.toSorted((one, other) => weight(one) - weight(other));
  const origins = [...new Set(byWeight.map(({ origin }) => origin ?? 'hosts computed when it runs'))];
  const secrets = [...new Set(calls.flatMap(({ secret }) => secret ?? []))];
  const lines = [`It calls ${origins.length === 0 ? 'nothing outside' : few(origins.map(plain))}.`];
  if (secrets.length > 0) lines.push(`It sends the secrets ${few(secrets.map(plain))}.`);
  if (workflows.length > 0) lines.push(`It runs the workflows ${few(workflows.map(plain))}.`);
  if (code.length > 0) lines.push('It has code of its own.');
  return lines.join('\n');
}

function few(names: readonly string[], between = ', '): string {
  const more = names.length - maxNamedItems;
  return [...names.slice(0, maxNamedItems), ...(more > 0 ? [`and ${more} more`] : [])].join(between);
}

/** A text of the file's author, without what would break or turn a line. */
function plain(text: string): string {
  const letters = Array.from(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' '));
  if (letters.length <= longest) return letters.join('');
  return `${letters.slice(0, shownOfStart).join('')}…${letters.slice(shownOfStart - longest).join('')}`;
}
