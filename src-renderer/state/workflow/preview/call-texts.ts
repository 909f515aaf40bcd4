// Texts on calls that a preview makes only if the user asks for them.
import { counted, duration, type CallAttempt, type CallOnce, type PreviewedCall } from '#contract';

/** `, with CRM_TOKEN`; empty for a call without secrets. */
export const secretsText = ({ secrets }: PreviewedCall): string =>
  secrets.length === 0 ? '' : `, with ${secrets.join(', ')}`;

/** `, up to 3 attempts`; empty for a node without `retry`. */
export const attemptsText = ({ maxAttempts }: PreviewedCall): string =>
  maxAttempts === undefined ? '' : `, up to ${counted(maxAttempts, 'attempt')}`;

/** Result of a call, with each of its attempts. */
export function madeText({ answer, problem = '', attempts, skippedPauseMs }: CallOnce): string {
  const result =
    answer === undefined
      ? `${problem.replace(/\.$/, '')}.`
      : `Answered with status ${answer.status}, ${counted(answer.bytes, 'byte')}.`;
  const list =
    attempts.length < 2
      ? ''
      : ` ${counted(attempts.length, 'attempt')}: ${attempts.map(outcome).join(', ')}.`;
  const skipped =
    skippedPauseMs === undefined
      ? ''
      : ` The next attempt would wait ${duration(skippedPauseMs)}; it was not made.`;
  return `${result}${list}${skipped}`;
}

const outcome = (attempt: CallAttempt): string =>
  'status' in attempt ? String(attempt.status) : 'no answer';
