import { expect, it } from 'vitest';
import { ByteBudget } from '../../../../src-main/executor/upstream/byte-budget.ts';

const small = 16_384;
const never = new AbortController().signal;

/** Says in which order takes came through. */
function watched(budget: ByteBudget) {
  const order: string[] = [];
  return {
    order,
    taker: (name: string) => {
      const share = budget.share();
      return {
        take: (bytes: number, signal = never) => share.take(bytes, signal).then(() => void order.push(name)),
        giveBack: () => share.giveBack(),
      };
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('small bodies never wait', async () => {
  const { order, taker } = watched(new ByteBudget(0));
  for (let n = 0; n < 100; n += 1) await taker('small').take(small);
  expect(order).toHaveLength(100);
});

it('beyond the budget one body goes on, the one that waited first, and the others after it', async () => {
  const { order, taker } = watched(new ByteBudget(100));
  const [a, b, c] = [taker('a'), taker('b'), taker('c')];
  await a.take(small + 100);
  void b.take(small + 10);
  void c.take(small + 10);
  await settled();
  expect(order).toEqual(['a', 'b']);
  await b.take(1000);
  expect(order).toEqual(['a', 'b', 'b']);
  b.giveBack();
  await settled();
  expect(order).toEqual(['a', 'b', 'b', 'c']);
});

it('what is given back lets those go on that it suffices for', async () => {
  const { order, taker } = watched(new ByteBudget(100));
  const [a, b, c] = [taker('a'), taker('b'), taker('c')];
  await a.take(small + 100);
  await b.take(small + 50);
  void c.take(small + 100);
  await settled();
  expect(order).toEqual(['a', 'b']);
  a.giveBack();
  await settled();
  expect(order).toEqual(['a', 'b']);
  b.giveBack();
  await settled();
  expect(order).toEqual(['a', 'b', 'c']);
});

it('a body that nobody wants any more waits no longer, and nobody waits for it', async () => {
  const { order, taker } = watched(new ByteBudget(0));
  const [a, b, c] = [taker('a'), taker('b'), taker('c')];
  await a.take(small + 1);
  const controller = new AbortController();
  const waiting = b.take(small + 1, controller.signal);
  void c.take(small + 1);
  controller.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(taker('d').take(small + 1, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  a.giveBack();
  await settled();
  expect(order).toEqual(['a', 'c']);
});
