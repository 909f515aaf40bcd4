// A story: what a user, a worker and a power supply do to a process, in an order that fast-check makes up.
import fc from 'fast-check';
import type { Scenario } from '../../../src-main/domain/scenarios/scenario.ts';
import { calls, flows, minute, type Flow, type RowDoes } from './rows.ts';
import { World, type Verb, type WorldOptions } from './world.ts';

type Step =
  /** Lets pending events happen, each chosen by a number. */
  | { readonly do: 'let'; readonly choices: readonly number[] }
  | { readonly do: 'let all' }
  | {
      readonly do: 'start';
      readonly flow: Flow;
      readonly rows: readonly RowDoes[];
      readonly times: number;
      readonly scenario?: Scenario;
    }
  | { readonly do: Verb; readonly run: number }
  | { readonly do: 'bulk'; readonly verb: Verb; readonly flow: Flow }
  | { readonly do: 'rerun'; readonly run: number; readonly rows: 'all' | 'failed' }
  | { readonly do: 'rerun edited'; readonly run: number }
  | { readonly do: 'advance'; readonly minutes: number }
  | { readonly do: 'kill worker'; readonly worker: number }
  | { readonly do: 'restart' }
  | { readonly do: 'crash'; readonly keeps: 'all' | 'half' | 'synced' };

export type Story = { readonly world: WorldOptions; readonly steps: readonly Step[] };

/** A run that crashes ten times without progress, or a row whose worker dies four times, is rightly given up. */
const maxEvents = { crashes: 6, kills: 3, runs: 6 };

/** Plays the story until the first fault; resolves to the faults. */
export async function playStory({ world: options, steps }: Story): Promise<readonly string[]> {
  const world = await World.open(options);
  const left = { ...maxEvents };
  const budget = {
    mayCrash: () => (left.crashes -= 1) >= 0,
    mayKill: () => (left.kills -= 1) >= 0,
    mayStart: () => (left.runs -= 1) >= 0,
  };
  for (const step of steps) {
    await playStep(world, step, budget);
    if (world.ledger.faults.length > 0) break;
  }
  if (world.ledger.faults.length === 0) await world.checkDisk();
  if (world.ledger.faults.length === 0) await world.toTheEnd();
  world.end();
  return world.ledger.faults;
}

type Budget = {
  readonly mayCrash: () => boolean;
  readonly mayKill: () => boolean;
  readonly mayStart: () => boolean;
};

async function playStep(world: World, step: Step, budget: Budget): Promise<void> {
  switch (step.do) {
    case 'let':
      for (const choice of step.choices) await world.let(choice);
      return;
    case 'let all':
      return world.letAll();
    case 'start':
      if (!budget.mayStart()) return;
      return world.start(step.flow, rowsOf(step), step.scenario ?? {});
    case 'pause':
    case 'resume':
    case 'cancel':
      return world.verb(step.do, step.run);
    case 'rerun':
      if (!budget.mayStart()) return;
      return world.rerun(step.run, step.rows);
    case 'bulk':
      return world.bulk(step.verb, step.flow);
    case 'rerun edited':
      if (!budget.mayStart()) return;
      return world.rerunEdited(step.run);
    case 'advance':
      return world.advance(step.minutes * minute);
    case 'kill worker':
      if (budget.mayKill()) world.killWorker(step.worker);
      return;
    case 'restart':
      return world.restart();
    case 'crash':
      if (!budget.mayCrash()) return;
      // Without a power cut the disk has all that was written.
      return world.crash({ entries: (change) => step.keeps === 'all' || change % 2 === 0, data: step.keeps });
  }
}

const rowsOf = ({ rows, times, flow }: { rows: readonly RowDoes[]; times: number; flow: Flow }) =>
  Array.from({ length: rows.length * times }, (_, index) => {
    const row = { n: index + 1, does: rows[index % rows.length] ?? 'done' };
    // The server ends a worker that requests a call outside its plan, so these rows wait instead.
    return calls(row) && flow !== 'calls' ? { ...row, does: 'wait' as const } : row;
  });

const rowDoes = fc.oneof(
  { weight: 6, arbitrary: fc.constant<RowDoes>('done') },
  { weight: 4, arbitrary: fc.constant<RowDoes>('wait') },
  { weight: 3, arbitrary: fc.constant<RowDoes>('work') },
  { weight: 3, arbitrary: fc.constant<RowDoes>('call') },
  { weight: 3, arbitrary: fc.constant<RowDoes>('call, then go on') },
  { weight: 1, arbitrary: fc.constantFrom<RowDoes>('fail', 'crash') },
);
const haltsAt = fc.oneof(
  fc.constantFrom(0, 30, 50, 99).map((percent) => ({ percent })),
  fc.integer({ min: 1, max: 5 }).map((row) => ({ row })),
);
const scenario: fc.Arbitrary<Scenario> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        'queued-for': fc.constantFrom(2 * minute, 7 * minute),
        'pause-at': haltsAt,
        'cancel-at': haltsAt,
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
);
const start = fc.record({
  scenario,
  do: fc.constant('start' as const),
  flow: fc.constantFrom(...flows),
  rows: fc.oneof(
    { weight: 3, arbitrary: fc.array(rowDoes, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(rowDoes, { minLength: 1, maxLength: 40, size: 'max' }) },
  ),
  times: fc.oneof({ weight: 40, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(8) }),
});
const runIndex = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('let' as const),
      choices: fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 12, size: 'max' }),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'let all' }) },
  { weight: 5, arbitrary: start },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pause' as const), run: runIndex }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('resume' as const), run: runIndex }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), run: runIndex }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rerun' as const),
      run: runIndex,
      rows: fc.constantFrom('all' as const, 'failed' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('bulk' as const),
      verb: fc.constantFrom<Verb>('pause', 'resume', 'cancel'),
      flow: fc.constantFrom(...flows),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rerun edited' as const), run: runIndex }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill worker' as const), worker: runIndex }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'restart' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      keeps: fc.constantFrom('all' as const, 'half' as const, 'synced' as const),
    }),
  },
);

export const stories: fc.Arbitrary<Story> = fc.record({
  world: fc.record({
    runsAtOnce: fc.integer({ min: 1, max: 3 }),
    maxWorkers: fc.integer({ min: 1, max: 3 }),
    slowCalls: fc.constantFrom(0, 10, 50, 100),
    seed: fc.nat(),
  }),
  steps: fc.array(step, { maxLength: 40, size: 'max' }),
});
