import { expect, it } from 'vitest';
import { DiskPace } from '../../../src-main/storage/disk-pace.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

/** Says who makes an operation, on a disk that takes so many ms for each. */
function paceOn(clock: FakeClock, takesMs: () => number) {
  const pace = new DiskPace(clock);
  const here = (): string => {
    clock.advance(takesMs());
    return 'here';
  };
  return async (): Promise<string> => pace.make(here, () => Promise.resolve('elsewhere'));
}

const times = async (count: number, make: () => Promise<string>): Promise<string[]> => {
  const made: string[] = [];
  for (let time = 0; time < count; time += 1) made.push(await make());
  return made;
};

it('makes quick operations at once, and lets others have a turn now and then', async () => {
  const make = paceOn(new FakeClock(), () => 0.01);
  const made = await times(330, make);
  expect(made.slice(0, 32)).toEqual(Array(32).fill('here'));
  expect(made.filter((who) => who === 'elsewhere')).toHaveLength(10);
});

it('counts anew in each turn of the event loop', async () => {
  const make = paceOn(new FakeClock(), () => 0.01);
  const made: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    made.push(...(await times(30, make)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(made).toEqual(Array(150).fill('here'));
});

it('waits for a slow disk a fiftieth of the time at most', async () => {
  const clock = new FakeClock();
  let waited = 0;
  const make = paceOn(clock, () => {
    waited += 20;
    return 20;
  });
  for (let ms = 0; ms < 60_000; ms += 1) {
    await make();
    clock.advance(1);
  }
  expect(waited).toBeGreaterThan(0);
  expect(waited / clock.monotonic()).toBeLessThanOrEqual(1 / 50);
});

it('waits for a disk that is slow now and then a fifth of the time at most', async () => {
  const clock = new FakeClock();
  let waited = 0;
  let made = 0;
  const make = paceOn(clock, () => {
    made += 1;
    const takes = made % 9 === 0 ? 9 : 0.01;
    waited += takes;
    return takes;
  });
  for (let time = 0; time < 60_000; time += 1) {
    await make();
    clock.advance(0.1);
  }
  expect(waited).toBeGreaterThan(0);
  expect(waited / clock.monotonic()).toBeLessThan(1 / 5);
});

it('takes a moment without a core for no slow disk', async () => {
  const clock = new FakeClock();
  let made = 0;
  const make = paceOn(clock, () => ((made += 1) % 400 === 0 ? 4 : 0.01));
  const who: string[] = [];
  for (let time = 0; time < 33_000; time += 1) {
    who.push(await make());
    clock.advance(0.1);
  }
  expect(who.filter((one) => one === 'elsewhere')).toHaveLength(1000);
});

it('comes back to a disk that is quick again', async () => {
  const clock = new FakeClock();
  let takes = 20;
  const make = paceOn(clock, () => takes);
  expect(await times(2, make)).toEqual(['here', 'elsewhere']);
  takes = 0;
  clock.advance(1000);
  expect(await make()).toBe('here');
});

it('makes an operation here without a turn of waiting', () => {
  const made = new DiskPace(new FakeClock()).make(
    () => 'here',
    () => Promise.resolve('elsewhere'),
  );
  expect(made).toBe('here');
});

it('passes a failure on from either side', async () => {
  const clock = new FakeClock();
  const pace = new DiskPace(clock);
  const fail = (who: string) => (): never => {
    clock.advance(20);
    throw new Error(who);
  };
  expect(() => pace.make(fail('here'), () => Promise.reject(new Error('elsewhere')))).toThrow('here');
  await expect(pace.make(fail('here'), () => Promise.reject(new Error('elsewhere')))).rejects.toThrow(
    'elsewhere',
  );
});
