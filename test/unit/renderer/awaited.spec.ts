import { expect, it } from 'vitest';
import { Awaited } from '../../../src-renderer/state/awaited.ts';

/** An `Awaited`, the targets that it has looked for, and a function that answers its oldest open request. */
function rig() {
  const asked: string[] = [];
  const answers: ((isFound: boolean) => void)[] = [];
  const awaited = new Awaited<string>((wanted) => {
    asked.push(wanted);
    return new Promise((resolve) => answers.push(resolve));
  });
  const answer = async (isFound: boolean): Promise<void> => {
    answers.shift()?.(isFound);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { asked, awaited, answer };
}

it('looks again when there is more, until it is found', async () => {
  const { asked, awaited, answer } = rig();
  void awaited.seek('row 7');
  await answer(false);
  void awaited.note();
  await answer(true);
  void awaited.note();
  expect(asked).toEqual(['row 7', 'row 7']);
});

it('misses nothing that comes while it is looking', async () => {
  const { asked, awaited, answer } = rig();
  void awaited.seek('row 7');
  void awaited.note();
  void awaited.note();
  await answer(false);
  await answer(true);
  await answer(true);
  expect(asked).toEqual(['row 7', 'row 7']);
});

it('leads nobody away who does something else', async () => {
  const { asked, awaited, answer } = rig();
  void awaited.seek('row 7');
  void awaited.note();
  awaited.forget();
  await answer(false);
  void awaited.note();
  expect(asked).toEqual(['row 7']);
});

it('goes by what was looked for last', async () => {
  const { asked, awaited, answer } = rig();
  void awaited.seek('row 7');
  void awaited.seek('row 9');
  await answer(true);
  await answer(false);
  void awaited.note();
  expect(asked).toEqual(['row 7', 'row 9', 'row 9']);
});

it('looks no more for what the server has something against', async () => {
  let calls = 0;
  const awaited = new Awaited<string>(() => {
    calls += 1;
    return Promise.reject(new Error('no such row'));
  });
  await expect(awaited.seek('row 7')).rejects.toThrow('no such row');
  await awaited.note();
  expect(calls).toBe(1);
});
