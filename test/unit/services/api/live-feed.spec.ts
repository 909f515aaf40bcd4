import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  LiveFeed,
  maxNotes,
  bufferedAfterMs,
  quietAfterMs,
  updateEveryMs,
  type FeedUpdate,
} from '../../../../src-main/services/api/live-feed.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';

type Change = readonly [thing: string, value: number];
type Update = FeedUpdate<Record<string, number>, Change>;

/** A world of named numbers, and a feed that tells of it. */
function setUp(id = 'a') {
  const clock = new FakeClock();
  const world = new Map<string, number>();
  const feed = new LiveFeed<Record<string, number>, Change>({
    clock,
    id,
    snapshot: async () => Object.fromEntries(world),
  });
  const change = (thing: string, value: number): void => {
    world.set(thing, value);
    feed.publish(thing, () => [thing, value]);
  };
  const reader = (after?: string) => {
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const updates = feed.read({ after, signal: leaving.signal });
    const next = async (): Promise<Update | undefined> => {
      const update = await updates.next();
      return update.done === true ? undefined : update.value;
    };
    return { next, leave: () => leaving.abort() };
  };
  return { clock, feed, world, change, reader };
}

/** Lets what waits for promises alone go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a reader of the live feed', () => {
  it('gets a snapshot, then each change with a higher number', async () => {
    const { change, reader, clock } = setUp();
    change('x', 1);
    const { next } = reader();
    expect(await next()).toEqual({ kind: 'snapshot', position: 'a-1', sequence: 1, snapshot: { x: 1 } });
    const second = next();
    await settle();
    clock.advance(updateEveryMs);
    change('y', 2);
    expect(await second).toEqual({ kind: 'changes', position: 'a-2', sequence: 2, changes: [['y', 2]] });
  });

  it('is sent at most eight times a second, of each thing only the newest', async () => {
    const { change, reader, clock, feed } = setUp();
    const { next } = reader();
    await next();
    const updates: Update[] = [];
    const listening = (async () => {
      for (let update = await next(); update !== undefined; update = await next()) updates.push(update);
    })();
    for (let n = 1; n <= 1000; n += 1) {
      change('run', n);
      clock.advance(1);
      await settle();
    }
    expect(updates.length).toBeLessThanOrEqual(8);
    expect(updates.length).toBeGreaterThanOrEqual(7);
    for (const update of updates)
      expect(update).toMatchObject({ kind: 'changes', changes: [['run', expect.any(Number)]] });
    feed.close();
    await listening;
  });

  it('goes on from its last position without a snapshot', async () => {
    const { change, reader } = setUp();
    change('x', 1);
    const first = reader();
    const position = (await first.next()) as { position: string };
    first.leave();
    change('y', 2);
    change('x', 3);
    expect(await reader(position.position).next()).toMatchObject({
      kind: 'changes',
      changes: [
        ['y', 2],
        ['x', 3],
      ],
    });
  });

  it.each(['b-1', 'a-', 'a-2', 'a--1', 'a-1e0', 'a-1 ', 'a-999999999999999999', '', '1'])(
    'gets a snapshot for the unknown position %j',
    async (position) => {
      const { change, reader } = setUp();
      change('x', 1);
      expect(await reader(position).next()).toMatchObject({ kind: 'snapshot', snapshot: { x: 1 } });
    },
  );

  it('gets a snapshot when more things changed than are kept', async () => {
    const { change, reader } = setUp();
    await reader().next();
    for (let n = 0; n <= maxNotes; n += 1) change(`thing ${n}`, n);
    expect(await reader('a-1').next()).toMatchObject({ kind: 'changes' });
    expect(await reader('a-0').next()).toMatchObject({ kind: 'snapshot' });
  });

  it.each([
    ['what was missed', 'changes', bufferedAfterMs - 1],
    ['a snapshot', 'snapshot', bufferedAfterMs],
  ])('that was away gets %s, by how long that was', async (_, kind, ms) => {
    const { change, reader, clock } = setUp();
    const first = reader();
    const before = await first.next();
    const last = first.next();
    first.leave();
    expect(await last).toBeUndefined();
    clock.advance(ms);
    change('x', 1);
    const second = reader(before?.kind === 'snapshot' ? before.position : undefined);
    expect(await second.next()).toMatchObject({ kind, position: 'a-1' });
  });

  it('gets a snapshot where nobody has read before', async () => {
    const { change, reader } = setUp();
    change('x', 1);
    change('x', 2);
    expect(await reader('a-1').next()).toMatchObject({ kind: 'snapshot', snapshot: { x: 2 } });
  });

  it('hears that nothing happened, so that its connection is known to live', async () => {
    const { reader, clock } = setUp();
    const { next } = reader();
    await next();
    const quiet = next();
    await settle();
    clock.advance(updateEveryMs);
    await settle();
    clock.advance(quietAfterMs);
    expect(await quiet).toEqual({ kind: 'quiet' });
  });

  it('does not miss what changes while its snapshot is made', async () => {
    const clock = new FakeClock();
    let release = (): void => undefined;
    const feed = new LiveFeed<string, string>({
      clock,
      id: 'a',
      snapshot: () => new Promise((resolve) => (release = () => resolve('old'))),
    });
    const updates = feed.read({ signal: new AbortController().signal });
    const first = updates.next();
    await settle();
    feed.publish('x', () => 'new');
    release();
    expect((await first).value).toMatchObject({ kind: 'snapshot', sequence: 0 });
    const second = updates.next();
    await settle();
    clock.advance(updateEveryMs);
    expect((await second).value).toMatchObject({ kind: 'changes', changes: ['new'] });
    feed.close();
  });

  it('ends, and leaves no timer behind, when it leaves or the feed closes', async () => {
    const { feed, reader, clock } = setUp();
    const leaving = reader();
    const staying = reader();
    await Promise.all([leaving.next(), staying.next()]);
    const ends = [leaving.next(), staying.next()];
    await settle();
    clock.advance(updateEveryMs);
    await settle();
    leaving.leave();
    expect(await ends[0]).toBeUndefined();
    feed.close();
    expect(await ends[1]).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('ends while it waits for its next turn', async () => {
    const { reader, clock } = setUp();
    const { next, leave } = reader();
    await next();
    const end = next();
    await settle();
    leave();
    expect(await end).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('has the whole truth once it has caught up, whatever happened and however often it reconnected', async () => {
    const thing = fc.constantFrom('x', 'y', 'z');
    const event = fc.oneof(
      { weight: 5, arbitrary: thing.map((name) => ({ kind: 'change', name }) as const) },
      { weight: 3, arbitrary: fc.constant({ kind: 'read' } as const) },
      { weight: 1, arbitrary: fc.constant({ kind: 'reconnect' } as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const { change, feed, world, clock } = setUp();
        let picture = new Map<string, number>();
        let position: string | undefined;
        let leaving = new AbortController();
        let updates = feed.read({ signal: leaving.signal });
        const read = async (): Promise<void> => {
          const next = updates.next();
          await settle();
          clock.advance(updateEveryMs);
          await settle();
          clock.advance(quietAfterMs);
          const { value } = (await next) as { value: Update };
          if (value.kind === 'snapshot') picture = new Map(Object.entries(value.snapshot));
          else if (value.kind === 'changes') for (const [name, now] of value.changes) picture.set(name, now);
          if (value.kind !== 'quiet') position = value.position;
        };
        let count = 0;
        for (const { kind, ...rest } of events) {
          if (kind === 'change') change((rest as { name: string }).name, (count += 1));
          else if (kind === 'read') await read();
          else {
            leaving.abort();
            leaving = new AbortController();
            updates = feed.read({ after: position, signal: leaving.signal });
          }
        }
        await read();
        await read();
        expect(picture).toEqual(world);
        feed.close();
      }),
      { numRuns: 200 },
    );
  });
});
