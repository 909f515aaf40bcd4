import { describe, expect, it } from 'vitest';
import { blockBytes, ByteBudget } from '../../../../src-main/executor/upstream/byte-budget.ts';
import { BufferedBody } from '../../../../src-main/executor/upstream/buffered-body.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';

const small = 16_384;
const never = new AbortController().signal;

/** Bodies that say in which order what they were given was taken. */
function watched(budget: ByteBudget) {
  const order: string[] = [];
  const body = (name: string) => {
    const buffered = new BufferedBody(budget);
    const add = (blocks: number, signal = never): Promise<void> =>
      buffered.append(Buffer.alloc(blocks * blockBytes), signal).then(() => void order.push(name));
    return { add, release: () => buffered.release() };
  };
  return { order, body };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('small bodies never wait', async () => {
  const budget = new ByteBudget(0);
  const bodies = Array.from({ length: 100 }, () => new BufferedBody(budget));
  for (const body of bodies) await body.append(Buffer.alloc(small, 'x'), never);
  expect(bodies.map((body) => body.toBytes().toString())).toEqual(Array(100).fill('x'.repeat(small)));
});

it('what is held is what was added, however it was cut', async () => {
  const body = new BufferedBody(new ByteBudget(10 * blockBytes));
  const all = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
  for (let at = 0, step = 1; at < all.length; at += step, step = (step * 7) % 90_001)
    await body.append(all.subarray(at, at + step), never);
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

describe('among bodies that do not know each other', () => {
  const shared = (blocks: number, ofOne: number) => {
    const clock = new FakeClock();
    const sharing = { clock, stallMs: 3000, bytesOfOne: ofOne * blockBytes };
    return { clock, budget: new ByteBudget(blocks * blockBytes, sharing) };
  };

  it('one owner leaves room for others', async () => {
    const { budget } = shared(5, 3);
    const greedy = {};
    const bodies = Array.from({ length: 10 }, () => new BufferedBody(budget, { owner: greedy }));
    const first = bodies.map((body) => body.append(Buffer.alloc(blockBytes), never));
    await Promise.all(first.slice(0, 4));
    await new BufferedBody(budget, { owner: {} }).append(Buffer.alloc(blockBytes), never);
  });

  it('owners take turns beyond the budget, however many bodies one has', async () => {
    const { budget } = shared(0, 0);
    const order: string[] = [];
    const owners = { a: {}, b: {} };
    const bodies = (['a', 'a', 'a', 'b'] as const).map((name) => {
      const buffered = new BufferedBody(budget, { owner: owners[name] });
      void buffered.append(Buffer.alloc(blockBytes), never).then(() => order.push(name));
      return buffered;
    });
    for (const at of [0, 3, 1, 2]) {
      await settled();
      bodies[at]?.release();
    }
    expect(order).toEqual(['a', 'b', 'a', 'a']);
  });

  it('what stands still is given up as soon as others wait, and no sooner', async () => {
    const { clock, budget } = shared(1, 1);
    const aborted: string[] = [];
    const body = (name: string): BufferedBody => {
      const buffered: BufferedBody = new BufferedBody(budget, {
        owner: {},
        abort: () => {
          aborted.push(name);
          buffered.release();
        },
      });
      return buffered;
    };
    const [still, dripping, whole, coming] = [body('still'), body('dripping'), body('whole'), body('coming')];
    await still.append(Buffer.alloc(blockBytes), never);
    clock.advance(60_000);
    await dripping.append(Buffer.alloc(20_000), never);
    const waiting = coming.append(Buffer.alloc(2 * blockBytes), never);
    await settled();
    await dripping.append(Buffer.alloc(1000), never);
    clock.advance(2999);
    expect(aborted).toEqual([]);
    clock.advance(1);
    expect(aborted).toEqual(['still', 'dripping']);
    await waiting;
    const last = whole.append(Buffer.alloc(2 * blockBytes), never);
    await settled();
    clock.advance(1000);
    coming.end();
    clock.advance(60_000);
    expect(aborted).toEqual(['still', 'dripping']);
    coming.release();
    await last;
  });
});

it('an aborted body stops waiting and blocks no other body', async () => {
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
