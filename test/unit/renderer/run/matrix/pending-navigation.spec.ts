import { expect, it } from 'vitest';
import { PendingNavigation } from '../../../../../src-renderer/state/run/matrix/pending-navigation.ts';

/** A navigation, the targets that it has looked up, and a function that answers its oldest open lookup. */
function rig() {
  const lookups: string[] = [];
  const answers: ((isFound: boolean) => void)[] = [];
  const navigation = new PendingNavigation<string>((target) => {
    lookups.push(target);
    return new Promise((resolve) => answers.push(resolve));
  });
  const answer = async (isFound: boolean): Promise<void> => {
    answers.shift()?.(isFound);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lookups, navigation, answer };
}

it('a target is looked up again whenever there is more, until it is found', async () => {
  const { lookups, navigation, answer } = rig();
  void navigation.start('row 7');
  await answer(false);
  void navigation.retry();
  await answer(true);
  void navigation.retry();
  expect(lookups).toEqual(['row 7', 'row 7']);
});

it('a target that appears during a lookup is not missed', async () => {
  const { lookups, navigation, answer } = rig();
  void navigation.start('row 7');
  void navigation.retry();
  void navigation.retry();
  await answer(false);
  await answer(true);
  await answer(true);
  expect(lookups).toEqual(['row 7', 'row 7']);
});

it('a cancelled navigation is not tried again', async () => {
  const { lookups, navigation, answer } = rig();
  void navigation.start('row 7');
  void navigation.retry();
  navigation.cancel();
  await answer(false);
  void navigation.retry();
  expect(lookups).toEqual(['row 7']);
});

it('the newest target replaces the one before', async () => {
  const { lookups, navigation, answer } = rig();
  void navigation.start('row 7');
  void navigation.start('row 9');
  await answer(true);
  await answer(false);
  void navigation.retry();
  expect(lookups).toEqual(['row 7', 'row 9', 'row 9']);
});

it('a navigation that the server rejects is not tried again', async () => {
  let calls = 0;
  const navigation = new PendingNavigation<string>(() => {
    calls += 1;
    return Promise.reject(new Error('no such row'));
  });
  await expect(navigation.start('row 7')).rejects.toThrow('no such row');
  await navigation.retry();
  expect(calls).toBe(1);
});
