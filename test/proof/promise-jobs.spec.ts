// Promise jobs are all that author code can leave behind. They belong to the attempt that left them: they run before
// another attempt begins, see its row alone, and count as its time.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { planOf, runRows, testExecution, testPool, type TestRun } from '../builders/execution-rig.ts';
import { planOfSet, workflowOf } from '../builders/workflow-set.ts';
import { rowWorkers } from '../builders/row-workers.ts';
import { closeSharedWorkers } from '../builders/processes-for-tests.ts';

beforeAll(closeSharedWorkers);

const limits = { timeLimitMs: 300, graceMs: 100, memoryMb: 64 };
const endless = '(async () => { for (;;) await null; })()';
/** Logs after so many jobs that the row's own code has long returned. */
const logsLate = (what: string): string =>
  `(async () => { for (let i = 0; i < 30; i += 1) await null; console.log(${what}); })()`;

/** @param culprit a node with that id, as YAML in braces */
const workflow = (culprit: string): string => `
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: before, type: set, values: { n: "=row.n" } }
  - ${culprit}
  - { id: later, type: code, after: [culprit], code: "for (let i = 0; i < 60; i += 1) await null; return Math.random();" }
  - { id: out, type: output, fields: { n: "=row.n", random: "=nodes.later" } }
`;

const code = (text: string): string => workflow(`{ id: culprit, type: code, code: ${JSON.stringify(text)} }`);
const inRow1 = (text: string): string => code(`if (row.n === 1) ${text}; return 1;`);

describe('an endless promise job', () => {
  it.each([
    ['left by the only row', [{ n: 1 }]],
    ['left by the last row', [{ n: 2 }, { n: 3 }, { n: 1 }]],
    ['left by the first row', [{ n: 1 }, { n: 2 }, { n: 3 }]],
  ])('%s fails that row and node, and no process computes after the run', async (_, rows) => {
    const pool = testPool(limits);
    const done = await runRows(inRow1(endless), { pool, rows });
    expect(done.outcome).toEqual({ kind: 'completed' });
    expect(done.failures).toEqual([
      {
        row: rows.findIndex(({ n }) => n === 1) + 1,
        nodeId: 'culprit',
        message: 'time limit of 300 ms exceeded',
        attempts: 1,
      },
    ]);
    expect(done.outputs.map((output) => (output as { n: number } | null)?.n)).toEqual(
      rows.map(({ n }) => (n === 1 ? undefined : n)),
    );
    await expect.poll(workersAtWork).toEqual([]);
  });

  it('left by code that awaits fails its row, with onError applied', async () => {
    const text = workflow(
      `{ id: culprit, type: code, onError: { value: 7 }, code: "if (row.n === 1) ${endless}; await null; return 1;" }`,
    ).replace('=row.n", random', '=nodes.culprit", random');
    const done = await runRows(text, { pool: testPool(limits), rows: [{ n: 1 }, { n: 2 }] });
    expect(done.outputs).toMatchObject([{ n: 7 }, { n: 1 }]);
    await expect.poll(workersAtWork).toEqual([]);
  });

  it('left by an expression fails its row', async () => {
    const text = workflow(`{ id: culprit, type: set, values: { n: "=row.n === 1 && !${endless}" } }`);
    const done = await runRows(text, { pool: testPool(limits), rows: [{ n: 1 }, { n: 2 }] });
    expect(done.failures).toMatchObject([
      { row: 1, nodeId: 'culprit', message: 'time limit of 300 ms exceeded' },
    ]);
    expect(done.outputs).toMatchObject([null, { n: 2 }]);
  });

  const throwing = (name: string): string =>
    `const e = new Error("x"); Object.defineProperty(e, "${name}", { get() { ${endless}; return "x"; } }); throw e;`;
  const code = (text: string): string => `type: code, code: ${JSON.stringify(text)}`;
  const expression = JSON.stringify(`=(() => { ${throwing('message')} })()`);
  it.each([
    ['the message of an error', code(throwing('message'))],
    ['the name of an error', code(throwing('name'))],
    ['the error of code that awaits', code(`await null; ${throwing('message')}`)],
    ['toJSON of a thrown object', code(`throw { toJSON() { ${endless}; return 1; } };`)],
    [
      'toString of a thrown function',
      code(`throw Object.assign(() => 1, { toString() { ${endless}; return "x"; } });`),
    ],
    ['the error of an expression', `type: set, values: { n: ${expression} }`],
    ['the error of a URL', `type: http, request: { url: ${expression} }`],
    ['the error of "onError"', `type: fail, message: x, onError: { value: ${expression} }`],
  ])('left by %s fails the row, and no process computes after the run', async (_, node) => {
    const text = `
nodes:
  - { id: input, type: input }
  - { id: culprit, ${node} }
  - { id: out, type: output, after: [culprit], fields: { n: "=row.n" } }`;
    const done = await runRows(text, { pool: testPool(limits), rows: [{ n: 1 }] });
    expect(done.failures).toMatchObject([{ nodeId: 'culprit', message: 'time limit of 300 ms exceeded' }]);
    await expect.poll(workersAtWork).toEqual([]);
  });

  it('left by a workflow that is called fails the row at the node that called it', async () => {
    const plan = planOfSet([
      workflowOf(
        'outer',
        '  - { id: sub, type: workflow, workflow: inner, row: "=row" }',
        '{ got: "=nodes.sub" }',
      ),
      workflowOf('inner', `  - { id: leaves, type: code, code: "${endless}; return 1;" }`, '{ n: "=row.n" }'),
    ]);
    const { execution, sink } = testExecution(plan, { pool: testPool(limits), rows: [{ n: 1 }] });
    await execution.run();
    expect(sink.failures).toMatchObject([{ row: 1, nodeId: 'sub' }]);
    expect(sink.failures[0]?.message).toBe('workflow "inner", node "leaves": time limit of 300 ms exceeded');
  });
});

describe('promise jobs that a row leaves behind', () => {
  const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];
  const logsOf = async (text: string, run?: TestRun): Promise<unknown[][]> => {
    const { traces } = await runRows(text, run ?? { pool: testPool({ maxWorkers: 1 }), rows });
    return traces.map(({ logs }) => logs.map(([nodeIndex, , logged]) => `${nodeIndex} ${logged}`));
  };

  it('read the nodes of their own row and write to its trace alone', async () => {
    const logs = await logsOf(inRow1(logsLate('"before is", nodes.before.n')));
    expect(logs).toEqual([['2 before is 1'], [], []]);
  });

  it('are heard in the order of the rows', async () => {
    const logs = await logsOf(code(`${logsLate('"before is", nodes.before.n')}; return 1;`));
    expect(logs).toEqual([['2 before is 1'], ['2 before is 2'], ['2 before is 3']]);
  });

  it('do not shift the chance of another row, or of another node', async () => {
    const drawing = '(async () => { for (let i = 0; i < 90; i += 1) { await null; Math.random(); } })()';
    const run = { pool: testPool({ maxWorkers: 1 }), rows };
    const quiet = await runRows(code('return 1;'), run);
    const drawn = await runRows(code(`${drawing}; return 1;`), run);
    expect(drawn.outputs).toEqual(quiet.outputs);
    expect(quiet.outputs).toMatchObject([{ random: expect.any(Number) as number }, {}, {}]);
  });

  it('read the nodes of their own row while other rows wait and go on', async () => {
    const text = `
concurrency: 8
nodes:
  - { id: input, type: input }
  - { id: before, type: set, values: { n: "=row.n" } }
  - { id: wait, type: delay, for: "=10 * (4 - row.n)" }
  - { id: culprit, type: code, code: ${JSON.stringify(`${logsLate('nodes.before.n')}; return 1;`)} }
  - { id: later, type: code, code: "for (let i = 0; i < 60; i += 1) await null; return nodes.culprit;" }
  - { id: out, type: output, fields: { n: "=nodes.later" } }`;
    expect(await logsOf(text)).toEqual([['3 1'], ['3 2'], ['3 3']]);
  });

  it('count as time of the attempt that left them', async () => {
    const long =
      '(async () => { await null; for (let i = 0, n = 1; i < 3e8; i += 1) n = (n * 31 + i) | 0; })()';
    const text = workflow(
      `{ id: culprit, type: code, timeout: 100ms, code: "if (row.n === 1) ${long}; return 1;" }`,
    );
    const done = await runRows(text, { pool: testPool({ timeLimitMs: 30_000 }), rows });
    expect(done.failures).toEqual([
      { row: 1, nodeId: 'culprit', message: 'timed out after 100 ms', attempts: 1 },
    ]);
  });

  const late = logsLate("'late'");
  const kinds: readonly (readonly [kind: string, node: string])[] = [
    ['a value', `{ id: culprit, type: set, values: { n: "=!${late}" } }`],
    ['a template', `{ id: culprit, type: set, values: { n: "x {{ !${late} }}" } }`],
    ['a condition', `{ id: culprit, type: set, when: "!${late}", values: { n: 1 } }`],
    ['a condition that holds', `{ id: culprit, type: set, when: "[${late}].length > 0", values: { n: 1 } }`],
    [
      'the items of a node',
      `{ id: culprit, type: set, each: "=[typeof ${late}].slice(1)", values: { n: 1 } }`,
    ],
    ['an item', `{ id: culprit, type: set, each: "=['one']", values: { n: "=!${late}" } }`],
    [
      'the value in place of an error',
      `{ id: culprit, type: assert, that: "false", message: x, onError: { value: "=!${late}" } }`,
    ],
    [
      'an attempt that throws',
      `{ id: culprit, type: code, onError: { value: 1 }, code: "${late}; throw 1;" }`,
    ],
    [
      'an attempt before another one',
      `{ id: culprit, type: code, retry: { attempts: 2, delay: 0ms }, onError: { value: 1 }, code: "if (row.n !== nodes.before.n) return; ${late}; throw 1;" }`,
    ],
    ['a switch', `{ id: culprit, type: switch, cases: [{ when: "!${late}", value: 1 }], default: 2 }`],
    ['an assertion', `{ id: culprit, type: assert, that: "[${late}].length > 0", message: x }`],
    ['a delay', `{ id: culprit, type: delay, for: "=Number(!${late})" }`],
    [
      'a thrown value',
      `{ id: culprit, type: code, onError: { value: 1 }, code: "throw { toJSON() { ${late}; return 1; } };" }`,
    ],
    ['code that awaits', `{ id: culprit, type: code, code: "${late}; await null; return 1;" }`],
    ['a getter', `{ id: culprit, type: code, code: "return { get a() { ${late}; return 1; } };" }`],
    ['toJSON', `{ id: culprit, type: code, code: "return { toJSON() { ${late}; return 1; } };" }`],
    [
      'a thenable',
      `{ id: culprit, type: code, code: "Promise.resolve({ then(done) { ${late}; done(); } }); return 1;" }`,
    ],
    [
      'an async generator',
      `{ id: culprit, type: code, code: "const all = (async function* () { await ${late}; })(); all.next(); return 1;" }`,
    ],
    [
      'a promise by another spelling',
      `{ id: culprit, type: code, code: "const all = { P: Prom\\\\u0069se }; all['P']['res' + 'olve']()['th' + 'en'](() => ${late}); return 1;" }`,
    ],
  ];
  it('of a value, a condition, an error and any other part of a node run before the next node', async () => {
    const pool = testPool({ maxWorkers: 1 });
    for (const [kind, node] of kinds) {
      const logs = await logsOf(workflow(node), { pool, rows: [{ n: 1 }] });
      expect(logs[0]?.slice(-1), kind).toEqual(['2 late']);
    }
  });

  it('of the row for a workflow that is called run before its nodes', async () => {
    const plan = planOfSet([
      workflowOf(
        'outer',
        `  - { id: sub, type: workflow, workflow: inner, row: "=({ a: [${logsLate("'outer'")}].length })" }`,
        '{ got: "=nodes.sub" }',
      ),
      workflowOf(
        'inner',
        `  - { id: first, type: code, code: "console.log('inner'); return 1;" }`,
        '{ n: "=nodes.first" }',
      ),
    ]);
    const { execution, sink } = testExecution(plan, { pool: testPool({}), rows: [{ n: 1 }] });
    await execution.run();
    expect(sink.traces[0]?.logs.map(([, , text]) => text)).toEqual(['outer', 'inner']);
  });
});

it('what promises leave behind cannot be reached without a word that tells of promises', async () => {
  // Walks from everything that code has to everything that this leads to. The comparison alone may say `Promise`.
  const walk = `
    const starts = [Array, BigInt, Boolean, Date, Error, AggregateError, JSON, Map, Math, Number, Object, RegExp, Set,
      String, Symbol, TypeError, WeakMap, WeakSet, console, decodeURI, encodeURIComponent, isNaN, parseFloat, row,
      () => 1, function () {}, function* () {}, (function* () {})(), class {}, new (class {})(), {}, [], '', 1, 1n, true,
      /x/, Symbol.iterator, new Error('x'), new Date(), new Map(), new Set(), new WeakMap(), new WeakSet(),
      [].values(), [].entries(), new Map().values(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g),
      Object.entries({}), (() => { try { null.x; } catch (error) { return error; } })(), ((...all) => all)\`tag\`];
    const found = new Set();
    const open = [...starts];
    while (open.length > 0) {
      const one = open.pop();
      if (one === null || one === undefined) continue;
      const owner = Object(one);
      const key = typeof one === 'object' || typeof one === 'function' ? one : Object.getPrototypeOf(owner);
      if (found.has(key)) continue;
      found.add(key);
      open.push(Object.getPrototypeOf(key));
      for (const name of [...Object.getOwnPropertyNames(key), ...Object.getOwnPropertySymbols(key)]) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(key, name);
        open.push(value, get, set);
        // What a getter of a hardened realm gives is mostly the method behind it.
        if (get !== undefined) try { open.push(key[name]); } catch {}
      }
    }
    const asynchronous = Object.getPrototypeOf(async () => 1);
    const generating = Object.getPrototypeOf(async function* () {});
    const forbidden = [Promise, Promise.prototype, asynchronous, generating, generating.prototype,
      Object.getPrototypeOf(generating.prototype)];
    const names = [...found].filter((one) => typeof one === 'function').map((one) => one.name);
    const later = /async|promise|weakref|finalization|atomics|microtask|timeout|interval|immediate|import/i;
    return {
      size: found.size,
      reached: forbidden.map((one) => found.has(one)),
      names: names.filter((name) => later.test(name)),
    };`;
  const text = `
nodes:
  - { id: input, type: input }
  - { id: walk, type: code, code: ${JSON.stringify(walk)} }
  - { id: out, type: output, fields: { got: "=nodes.walk" } }`;
  const { execution, sink } = testExecution(planOf(text), { pool: testPool({}), rows: [{ n: 1 }] });
  await execution.run();
  expect(sink.failures).toEqual([]);
  const { got } = sink.outputs[0] as { got: { size: number; reached: boolean[]; names: string[] } };
  expect(got).toEqual({ size: got.size, reached: Array(6).fill(false), names: [] });
  expect(got.size).toBeGreaterThan(300);
});

/** Row workers of this process that the system says are running: an idle one sleeps. */
async function workersAtWork(): Promise<number[]> {
  const states = await Promise.all(
    (await rowWorkers()).map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      return { pid, isRunning: text.slice(text.lastIndexOf(')') + 2).startsWith('R') };
    }),
  );
  return states.filter(({ isRunning }) => isRunning).map(({ pid }) => pid);
}
