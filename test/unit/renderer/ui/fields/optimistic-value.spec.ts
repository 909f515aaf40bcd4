import { expect, it } from 'vitest';
import { deferred, type Deferred } from '../../../../../src-main/base/deferred.ts';
import { OptimisticValue } from '../../../../../src-renderer/ui/fields/optimistic-value.svelte.ts';

/** The value of a switch that the server always reports as off, the values sent, and a function that answers. */
function createSwitch() {
  const sent: boolean[] = [];
  const problems: unknown[] = [];
  const answers: Deferred<void>[] = [];
  const value = new OptimisticValue<boolean>({
    confirmed: () => false,
    send: (chosen) => {
      sent.push(chosen);
      const answer = deferred<void>();
      answers.push(answer);
      return answer.promise;
    },
    onproblem: (error) => void problems.push(error),
  });
  const answer = async (error?: Error): Promise<void> => {
    const oldest = answers.shift();
    if (error === undefined) oldest?.resolve();
    else oldest?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sent, problems, value, answer };
}

it('a choice is shown at once, and after the server has accepted it', async () => {
  const { value, answer } = createSwitch();
  void value.choose(true);
  expect(value.value).toBe(true);
  await answer();
  expect(value.value).toBe(true);
});

it('a rejected choice reverts to the confirmed value and reports the error', async () => {
  const { value, problems, answer } = createSwitch();
  const away = new Error('away');
  void value.choose(true);
  await answer(away);
  expect([value.value, problems]).toEqual([false, [away]]);
});

it('only the newest of several waiting choices is sent, after the answer to the one before', async () => {
  const { sent, value, answer } = createSwitch();
  void value.choose(true);
  for (const chosen of [false, true, false]) void value.choose(chosen);
  expect(sent).toEqual([true]);
  await answer();
  expect(sent).toEqual([true, false]);
  void value.choose(false);
  await answer();
  expect([sent, value.value]).toEqual([[true, false], false]);
});
