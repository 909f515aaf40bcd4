// Published escapes and resource bombs, through every place of a workflow that evaluates: none reaches anything of the
// process around it, none leaves anything for the next row, and each costs its own row alone.
// ROWBENCH_PROOF=long lets every bomb off in every place, the short form some of them in one place each.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpstreamRequest } from '../../src-main/executor/ports.ts';
import type { WorkerPool } from '../../src-main/executor/worker-pool.ts';
import { testExecution, testPool } from '../builders/execution-rig.ts';
import { runCli } from '../builders/run-cli.ts';
import { bodyPlaces, places, planWith } from '../builders/sandbox-places.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { bodies, bombs, escapes } from '../fixtures/escapes/payloads.ts';
import { isLong, report } from './length.ts';

/** Signs of the process around a row, wherever something of it may show. */
const hostSigns =
  /node_modules|row-worker|"pid"|"argv"|execPath|NODE_|"versions"|"env"|\[object process\]|root:|file:\/\//;

/** Runs each payload in a row of its own, with an innocent row behind it. Gives what is wrong. */
async function wrongOf(place: string, payloads: readonly string[], pool: WorkerPool): Promise<string[]> {
  const asked: UpstreamRequest[] = [];
  const rows = payloads.flatMap((_, n) => [{ n }, { n: -1 }]);
  const { execution, sink } = testExecution(planWith(place, payloads), {
    pool,
    rows,
    upstream: {
      call: async (request) => {
        asked.push(request);
        return { kind: 'failed', message: 'nobody is there', isFinal: true };
      },
    },
  });
  const outcome = await execution.run();
  const wrong: string[] = outcome.kind === 'completed' ? [] : [JSON.stringify(outcome)];
  for (const [index, output] of sink.outputs.entries()) {
    const payload = payloads[Math.floor(index / 2)];
    const isInnocent = index % 2 === 1;
    const isClean = (output as { witness?: unknown } | null)?.witness === 'clean';
    if (isInnocent ? !isClean : output !== null && !isClean)
      wrong.push(`${isInnocent ? 'after' : 'at'} ${payload}`);
  }
  const shown = [...sink.lines, ...sink.failures.map((each) => JSON.stringify(each)), JSON.stringify(asked)];
  return [...wrong, ...shown.filter((text) => hostSigns.test(text))];
}

const usual = { maxWorkers: 1 };
const tight = { maxWorkers: 1, timeLimitMs: 250, memoryMb: 64 };
const names = Object.keys(places);

describe('an escape', () => {
  const payloads = escapes.map(([, payload]) => payload);

  it.each(names)('in place of a %s reaches nothing', { timeout: 120_000 }, async (place) => {
    expect(await wrongOf(place, payloads, testPool(usual))).toEqual([]);
  });

  it.each(Object.keys(bodyPlaces))('as the %s reaches nothing', async (place) => {
    const statements = bodies.map(([, payload]) => payload);
    expect(await wrongOf(place, statements, testPool(usual))).toEqual([]);
  });

  it('would be found in each of them', { timeout: 120_000 }, async () => {
    const escaped = ["(() => { throw new Error('[object process]'); })()"];
    const blind: string[] = [];
    const pool = testPool(usual);
    for (const place of names) if ((await wrongOf(place, escaped, pool)).length === 0) blind.push(place);
    const statements = escaped.map((payload) => `return ${payload};`);
    for (const place of Object.keys(bodyPlaces))
      if ((await wrongOf(place, statements, pool)).length === 0) blind.push(place);
    expect(blind).toEqual([]);
    report(
      `${escapes.length} published escapes in ${names.length} places (and ${bodies.length} more as code): 0 escaped`,
    );
  });
});

describe('a bomb', () => {
  const cases = bombs.flatMap(([name, payload], at) => {
    // Every third, each in another place.
    const shortly = at % 3 === 0 ? [names[at % names.length] ?? ''] : [];
    return (isLong ? names : shortly).map((place) => [name, place, payload] as const);
  });
  let defused = 0;

  it.each(cases)(
    '%s in place of a %s costs its row alone',
    { timeout: 60_000 },
    async (_, place, payload) => {
      expect(await wrongOf(place, [payload], testPool(tight))).toEqual([]);
      defused += 1;
    },
  );

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
    const { code, stdout, stderr } = await runCli(['test'], { cwd: folder });
    expect([code, stdout, stderr]).toEqual([
      0,
      'ok    data.tests.json (1 test)\n',
      expect.stringMatching(/^1 test passed/),
    ]);
    report(`${texts.length} payloads as rows, mocks and expectations: each came back as the text that it is`);
  });
});
