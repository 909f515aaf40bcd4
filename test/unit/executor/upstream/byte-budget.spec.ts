import { expect, it } from 'vitest';
import { blockBytes, ByteBudget } from '../../../../src-main/executor/upstream/byte-budget.ts';
import { HeldBody } from '../../../../src-main/executor/upstream/held-body.ts';

const small = 16_384;
const never = new AbortController().signal;

/** Bodies that say in which order what they were given was taken. */
function watched(budget: ByteBudget) {
  const order: string[] = [];
  const body = (name: string) => {
    const held = new HeldBody(budget);
    const add = (blocks: number, signal = never): Promise<void> =>
      held.add(Buffer.alloc(blocks * blockBytes), signal).then(() => void order.push(name));
    return { add, release: () => held.release() };
  };
  return { order, body };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('small bodies never wait', async () => {
  const budget = new ByteBudget(0);
  const bodies = Array.from({ length: 100 }, () => new HeldBody(budget));
  for (const body of bodies) await body.add(Buffer.alloc(small, 'x'), never);
  expect(bodies.map((body) => body.toBytes().toString())).toEqual(Array(100).fill('x'.repeat(small)));
});

it('what is held is what was added, however it was cut', async () => {
  const body = new HeldBody(new ByteBudget(10 * blockBytes));
  const all = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
  for (let at = 0, step = 1; at < all.length; at += step, step = (step * 7) % 90_001)
    await body.add(all.subarray(at, at + step), never);
  expect(body.size).toBe(all.length);
  expect(body.toBytes().equals(all)).toBe(true);
});

it('beyond the budget one body goes on, the one that waited first, and the others after it', async () => {
  const { order, body } = watched(new ByteBudget(2 * blockBytes));
  const [a, b, c] = [body('a'), body('b'), body('c')];
  await a.add(2);
  void b.add(1);
  void c.add(1);
  await settled();
  expect(order).toEqual(['a', 'b']);
  await b.add(5);
  expect(order).toEqual(['a', 'b', 'b']);
  b.release();
  await settled();
  expect(order).toEqual(['a', 'b', 'b', 'c']);
});

it('what is given back lets those go on that it suffices for', async () => {
  const { order, body } = watched(new ByteBudget(2 * blockBytes));
  const [a, b, c, d] = [body('a'), body('b'), body('c'), body('d')];
  await a.add(2);
  await b.add(1);
  void c.add(1);
  void d.add(1);
  await settled();
  expect(order).toEqual(['a', 'b']);
  a.release();
  await settled();
  expect(order).toEqual(['a', 'b', 'c']);
  b.release();
  await settled();
  expect(order).toEqual(['a', 'b', 'c', 'd']);
});

it('a body that nobody wants any more waits no longer, and nobody waits for it', async () => {
  const { order, body } = watched(new ByteBudget(0));
  const [a, b, c] = [body('a'), body('b'), body('c')];
  await a.add(1);
  const controller = new AbortController();
  const waiting = b.add(1, controller.signal);
  void c.add(1);
  controller.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(body('d').add(1, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  b.release();
  a.release();
  await settled();
  expect(order).toEqual(['a', 'c']);
});
