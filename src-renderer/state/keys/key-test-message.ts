// The texts about a tested key: the meaning of the response, and the next step for the user.
import type { KeyTestView } from '#contract';

export type KeyTestMessage = {
  readonly tone: 'good' | 'bad';
  /** Status line, such as `403 Forbidden`. */
  readonly title: string;
  readonly why: string;
  /** The next step for the user. */
  readonly advice?: string;
};

type Tested = { readonly workflowId: string; readonly runId: string };

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
};

/** @param header a second header that may carry keys, if one is set */
export function keyTestMessage(
  view: KeyTestView,
  tested: Tested,
  header: string | undefined,
): KeyTestMessage {
  const reason = reasons[view.status];
  const title = reason === undefined ? String(view.status) : `${view.status} ${reason}`;
  const tone = view.refusal === undefined ? 'good' : 'bad';
  return { tone, title, ...explained(view, tested, header) };
}

type Explained = Pick<KeyTestMessage, 'why' | 'advice'>;

function explained(view: KeyTestView, tested: Tested, header: string | undefined): Explained {
  const name = view.key === undefined ? 'It' : `“${view.key.name}”`;
  switch (view.refusal) {
    case undefined:
      return { why: passes(name, tested) };
    case 'invalid_key':
      return invalidKey(view, header);
    case 'key_not_allowed':
      return {
        why: `${name} has access only to ${view.key?.workflows?.join(', ')}.`,
        advice: `Create a key with access to ${tested.workflowId}, or call a workflow that this key has access to.`,
      };
    case 'workflow_not_found':
      return notFound(view, tested);
    case 'workflow_invalid':
      return {
        why: `The file has errors: ${view.problems?.join('; ')}`,
        advice: 'Fix the file and save it; the next call uses it.',
      };
    case 'rate_limited':
      return {
        why: `The key is fine, but its limit is used up. In ${view.retryAfterSeconds} s the call would pass.`,
        advice: 'Wait for the number of seconds in Retry-After, or raise the limits in the settings.',
      };
    default:
      return otherMessages[view.refusal] ?? { why: 'The answer says what is wrong.' };
  }
}

const otherMessages: Partial<Record<NonNullable<KeyTestView['refusal']>, Explained>> = {
  workflow_untrusted: {
    why: 'The workflow was imported, and runs only once you have read and trusted it.',
    advice: 'Open it under Workflows, look at what it does, and trust it.',
  },
  run_not_found: {
    why: 'The workflow has no run with this id.',
    advice: 'Copy the id from the run itself. Old runs are removed after a while.',
  },
};

const passes = (name: string, { workflowId, runId }: Tested): string =>
  runId === ''
    ? `${name} has access to ${workflowId}: a call like this starts a run.`
    : `${name} has access to ${workflowId}, and this is the run’s status.`;

function invalidKey({ key, meant }: KeyTestView, header: string | undefined): Explained {
  if (key !== undefined && key.revokedAt !== null)
    return { why: `“${key.name}” was revoked.`, advice: 'Create a new key and give that to the script.' };
  if (meant?.isKeyWithoutBlanks === true)
    return {
      why: 'It contains spaces or line breaks; without them it is a valid key.',
      advice: 'Copy only the key, without the text around it.',
    };
  const headers = header === undefined ? 'x-service-key' : `x-service-key or ${header}`;
  return {
    why: 'This key is not in the list.',
    advice: `Compare its last four characters with the list. A script sends it in the header ${headers}, once and without “Bearer”.`,
  };
}

function notFound({ meant }: KeyTestView, { workflowId }: Tested): Explained {
  const why = `No workflow has the id “${workflowId}”.`;
  if (meant?.workflowId !== undefined) return { why, advice: `Did you mean “${meant.workflowId}”?` };
  return { why, advice: 'The id is the value of “id” in the workflow’s file; Workflows lists all ids.' };
}
