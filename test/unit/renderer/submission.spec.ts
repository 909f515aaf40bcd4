import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { Submission } from '../../../src-renderer/state/submission.svelte.ts';

/** A submission, and the errors that were shown as toasts. */
function createSubmission(options: { showsProblem?: boolean } = {}) {
  const toasts: unknown[] = [];
  const submission = new Submission({ problem: (error) => void toasts.push(error) }, options);
  return { submission, toasts };
}

it('a submission is busy until its action has ended, and then goes on with the result', async () => {
  const { submission } = createSubmission();
  const answer = deferred<string>();
  const results: string[] = [];
  const done = submission.submit(
    () => answer.promise,
    (result) => void results.push(result),
  );
  expect(submission.isBusy).toBe(true);
  answer.resolve('saved');
  await done;
  expect([submission.isBusy, results]).toEqual([false, ['saved']]);
});

it('a submission under way is not sent twice', async () => {
  const { submission } = createSubmission();
  const answer = deferred<void>();
  let sent = 0;
  const send = (): Promise<void> => {
    sent += 1;
    return answer.promise;
  };
  const first = submission.submit(send);
  await submission.submit(send);
  answer.resolve();
  await first;
  expect(sent).toBe(1);
});

it('a late answer does nothing on the screen after the user has left', async () => {
  const { submission } = createSubmission();
  const answer = deferred<void>();
  let isClosed = false;
  const done = submission.submit(
    () => answer.promise,
    () => (isClosed = true),
  );
  submission.leave();
  answer.resolve();
  await done;
  expect(isClosed).toBe(false);
});

it('an error is a toast, unless the component shows it', async () => {
  const away = new Error('away');
  const [plain, inline] = [createSubmission(), createSubmission({ showsProblem: true })];
  for (const { submission } of [plain, inline]) await submission.submit(() => Promise.reject(away));
  expect([plain.submission.problem, plain.toasts]).toEqual([undefined, [away]]);
  expect([inline.submission.problem, inline.toasts]).toEqual(['away', []]);
});

it('an error after the user has left is a toast', async () => {
  const { submission, toasts } = createSubmission({ showsProblem: true });
  const away = new Error('away');
  submission.leave();
  await submission.submit(() => Promise.reject(away));
  expect([submission.problem, toasts]).toEqual([undefined, [away]]);
});

it('the next submission clears the problem', async () => {
  const { submission } = createSubmission({ showsProblem: true });
  submission.reject('Give the set a name.');
  expect(submission.problem).toBe('Give the set a name.');
  await submission.submit(() => Promise.resolve());
  expect(submission.problem).toBeUndefined();
});
