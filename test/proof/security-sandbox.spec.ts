// Published escapes and resource bombs, through every place of a workflow that evaluates: none reaches anything of the
// process around it, none leaves anything for the next row, and each costs its own row alone.
// ROWBENCH_PROOF=long lets every bomb off in every place, the short form some of them in one place each.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RowTrace } from '../../src-main/domain/results/row-trace.ts';
import type { UpstreamRequest } from '../../src-main/executor/ports.ts';
import type { ExecutionOutcome } from '../../src-main/executor/run/run-execution-options.ts';
import type { WorkerPool } from '../../src-main/executor/pool/worker-pool.ts';
import { testExecution, testPool, type MemorySink } from '../builders/execution-rig.ts';
import { runCliProcess } from '../builders/run-cli.ts';
import { bodySlots, logged, slots, planWith } from '../builders/sandbox-slots.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import {
  harmlessLogs,
  harmlessOfStatements,
  harmlessValues,
  isHarmlessFailure,
} from '../fixtures/escapes/harmless.ts';
import { bodies, bombs, escapes } from '../fixtures/escapes/payloads.ts';
import { isLong, report } from './length.ts';

/** Signs of the process around a row, wherever something of it may show. */
const hostSigns =
  /node_modules|row-worker|"pid"|"argv"|execPath|NODE_|"versions"|"env"|\[object process\]|root:|file:\/\//;

type Ran = {
  readonly outcome: ExecutionOutcome;
  readonly sink: MemorySink;
  readonly requests: readonly UpstreamRequest[];
};

/** Runs each payload in a row of its own, with an innocent row behind it. */
async function run(slot: string, payloads: readonly string[], pool: WorkerPool): Promise<Ran> {
  const requests: UpstreamRequest[] = [];
  const { execution, sink } = testExecution(planWith(slot, payloads), {
    pool,
    rows: payloads.flatMap((_, n) => [{ n }, { n: -1 }]),
    detail: 'full',
    upstream: {
      call: async (request) => {
        requests.push(request);
        return { kind: 'failed', message: 'nobody is there', isFinal: true };
      },
    },
  });
  return { outcome: await execution.run(), sink, requests };
}

/** Faults of a run: an unexpected outcome, rows with a wrong output, and texts with a sign of the host. */
function wrongRows(payloads: readonly string[], { outcome, sink, requests }: Ran): string[] {
  const wrong: string[] = outcome.kind === 'completed' ? [] : [JSON.stringify(outcome)];
  for (const [index, output] of sink.outputs.entries()) {
    const payload = payloads[Math.floor(index / 2)];
    const isInnocent = index % 2 === 1;
    const isClean = (output as { witness?: unknown } | null)?.witness === 'clean';
    if (isInnocent ? !isClean : output !== null && !isClean)
      wrong.push(`${isInnocent ? 'after' : 'at'} ${payload}`);
  }
  const shown = [...sink.lines, ...sink.failures.map((each) => JSON.stringify(each))];
  // JSON within JSON, and within a URL, reads as it would alone.
  const sent = requests.map((each) =>
    decodeURIComponent(JSON.stringify(each).replaceAll('+', ' ')).replaceAll('\\', ''),
  );
  return [...wrong, ...[...shown, ...sent].filter((text) => hostSigns.test(text))];
}

/** The payloads that gave or threw anything but what is known to be harmless. */
function escaped(slot: string, payloads: readonly string[], { sink }: Ran): string[] {
  const traces = new Map(sink.traces.map((trace) => [trace.row, trace]));
  return payloads.filter((_, n) => {
    const trace = traces.get(2 * n + 1);
    return trace === undefined || !isHarmless(trace, n + 1, slot in bodySlots);
  });
}

function isHarmless({ failure, logs, values }: RowTrace, at: number, isBody: boolean): boolean {
  const value = values.get(at);
  const json = value?.kind === 'whole' ? JSON.stringify(value.value) : value?.kind;
  if (json !== undefined && !(isBody ? harmlessOfStatements : harmlessValues).has(json)) return false;
  if (!logs.every(([, , text]) => harmlessLogs.has(text))) return false;
  // An expression that was evaluated to its end has logged what it gave.
  return failure === undefined ? isBody || logs.length === 1 : isHarmlessFailure(failure.message);
}

/** The payload in the form of the slot: an expression logs its value, statements return it. */
const plantedIn = (slot: string, payload: string): string =>
  slot in bodySlots ? `return ${payload};` : logged(payload);

/** Something of the host, as a payload could come by it were there a way out. */
const stolen = {
  thrown: "(() => { throw new Error('[object process]'); })()",
  text: "'[object process]'",
  object: "({ pid: 1, argv: [], env: {}, get [Symbol.toStringTag]() { return 'process'; } })",
  function: '((id) => id)',
};
const promised = "Promise.resolve('[object process]')";
const converted = "({ toJSON() { return '[object process]'; } })";

/** The rig is blind to what a promise holds elsewhere: the place refuses it, and the row is over before it is kept. */
const waiting = ['code', 'code that waits', ...Object.keys(bodySlots)];
/** And here to what `toJSON` gives: a condition does not call it, the others keep nothing of what it gave. */
const notConverting = [
  ...['when', 'case of a switch', 'assertion'],
  ...['each', 'items of a called workflow', 'match of a lookup'],
];

const usual = { maxWorkers: 1 };
const tight = { maxWorkers: 1, timeLimitMs: 250, memoryMb: 64 };
const names = Object.keys(slots);
const allSlots = [...names, ...Object.keys(bodySlots)];

/** Everything that is wrong, the payloads as they are planted. */
async function wrongOf(slot: string, payloads: readonly string[]): Promise<string[]> {
  const ran = await run(slot, payloads, testPool(usual));
  return [...wrongRows(payloads, ran), ...escaped(slot, payloads, ran)];
}

describe('an escape', () => {
  const payloads = escapes.map(([, payload]) => logged(payload));

  it.each(names)('in place of a %s reaches nothing', { timeout: 120_000 }, async (slot) => {
    expect(await wrongOf(slot, payloads)).toEqual([]);
  });

  it.each(Object.keys(bodySlots))('as the %s reaches nothing', async (slot) => {
    const statements = bodies.map(([, payload]) => payload);
    expect(await wrongOf(slot, statements)).toEqual([]);
  });

  it('would be found in each of them', { timeout: 120_000 }, async () => {
    const pool = testPool(usual);
    const blind: string[] = [];
    for (const slot of allSlots) {
      const found = Object.values(stolen).map((each) => plantedIn(slot, each));
      const noticed = escaped(slot, found, await run(slot, found, pool));
      for (const [at, kind] of Object.keys(stolen).entries())
        if (!noticed.includes(found[at] ?? '')) blind.push(`${kind} in ${slot}`);
    }
    expect(blind).toEqual([]);
    report(
      `${escapes.length} published escapes in ${names.length} places (and ${bodies.length} more as code): 0 escaped`,
    );
  });

  it('would be found where it shows later only', { timeout: 120_000 }, async () => {
    const pool = testPool(usual);
    const findIn = async (among: readonly string[], payload: string): Promise<string[]> => {
      const found: string[] = [];
      for (const slot of among) {
        const planted = [plantedIn(slot, payload)];
        const ran = await run(slot, planted, pool);
        if (wrongRows(planted, ran).length + escaped(slot, planted, ran).length > 0) found.push(slot);
      }
      return found;
    };
    expect(await findIn(waiting, promised)).toEqual(waiting);
    const converting = allSlots.filter((slot) => !notConverting.includes(slot));
    expect(await findIn(converting, converted)).toEqual(converting);
  });
});

describe('a bomb', () => {
  const cases = bombs.flatMap(([name, payload], at) => {
    // Every third, each in another place.
    const shortly = at % 3 === 0 ? [names[at % names.length] ?? ''] : [];
    return (isLong ? names : shortly).map((slot) => [name, slot, payload] as const);
  });
  let defused = 0;

  it.each(cases)('%s in place of a %s costs its row alone', { timeout: 60_000 }, async (_, slot, payload) => {
    expect(wrongRows([payload], await run(slot, [payload], testPool(tight)))).toEqual([]);
    defused += 1;
  });

  it('is counted', () => {
    report(`${defused} bombs (of ${bombs.length} in ${names.length} places): each cost its row alone`);
  });
});

describe('what is data', () => {
  it('is never evaluated: rows, mocks, and what a test expects', { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    const texts = [...escapes, ...bodies, ...bombs].flatMap(([, payload]) => [
      `=${payload}`,
      `{{ ${payload} }}`,
      payload,
    ]);
    const workflow = {
      rowbench: 1,
      id: 'data',
      nodes: [
        { id: 'input', type: 'input' },
        {
          id: 'canned',
          type: 'set',
          values: { got: 'ran' },
          mock: { all: { got: texts } },
        },
        { id: 'out', type: 'output', fields: { row: '=row.text', canned: '=nodes.canned.got[row.at]' } },
      ],
    };
    const tests = [
      {
        name: 'rows and mocks are the texts that they are',
        rows: texts.map((text, at) => ({ text, [text]: text, at })),
        mocks: { canned: 'all' },
        expect: { status: 'completed', rows: texts.map((text) => ({ row: text, canned: text })) },
      },
    ];
    await writeFile(join(folder, 'data.workflow.json'), JSON.stringify(workflow));
    await writeFile(join(folder, 'data.tests.json'), JSON.stringify({ rowbench: 1, tests }));
    const { code, stdout, stderr } = await runCliProcess(['test'], { cwd: folder });
    expect([code, stdout, stderr]).toEqual([
      0,
      'ok    data.tests.json (1 test)\n',
      expect.stringMatching(/^1 test passed/),
    ]);
    report(`${texts.length} payloads as rows, mocks and expectations: each came back as the text that it is`);
  });
});
