import { expect, it } from 'vitest';
import { deferred, type Deferred } from '../../../src-main/base/deferred.ts';
import { Wanted } from '../../../src-renderer/ui/wanted.svelte.ts';

/** The state of a switch that the server always reports as off, the values sent, and a function that answers. */
function rig() {
  const sent: boolean[] = [];
  const answers: Deferred<boolean>[] = [];
  const send = (value: boolean): Promise<boolean> => {
    sent.push(value);
    const answer = deferred<boolean>();
    answers.push(answer);
    return answer.promise;
  };
  const wanted = new Wanted<boolean>({ told: () => false, send });
  const answer = async (isSo: boolean): Promise<void> => {
    answers.shift()?.resolve(isSo);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sent, wanted, answer };
}

it('shows what was chosen at once, and on until it is told', async () => {
  const { wanted, answer } = rig();
  void wanted.choose(true);
  expect(wanted.shown).toBe(true);
  await answer(true);
  expect(wanted.shown).toBe(true);
});

it('goes back where it was refused', async () => {
  const { wanted, answer } = rig();
  void wanted.choose(true);
  await answer(false);
  expect(wanted.shown).toBe(false);
});

it('sends what was chosen last once the one before is answered, and nothing between', async () => {
  const { sent, wanted, answer } = rig();
  void wanted.choose(true);
  for (const value of [false, true, false]) void wanted.choose(value);
  expect(sent).toEqual([true]);
  await answer(true);
  expect(sent).toEqual([true, false]);
  void wanted.choose(false);
  await answer(true);
  expect([sent, wanted.shown]).toEqual([[true, false], false]);
});
