// The cost of hostile code, and the messages about it. test/proof/security-sandbox runs more code of this kind.
import { beforeAll, describe, expect, it } from 'vitest';
import { culpritRows, culpritWorkflow } from '../builders/culprit-workflow.ts';
import { runRows, testExecution, testPool, planOf } from '../builders/execution-rig.ts';
import { recordedLog } from '../builders/recorded-log.ts';
import { rowWorkers } from '../builders/row-workers.ts';
import { closeSharedWorkers } from '../builders/processes-for-tests.ts';

beforeAll(closeSharedWorkers);

const endless = `
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: culprit, type: set, values: { n: "=(() => { while (true) {} })()" } }
  - { id: out, type: output, fields: { n: "=nodes.culprit.n" } }
`;

const limits = { timeLimitMs: 300, graceMs: 100, memoryMb: 64 };

describe('code that never ends', () => {
  it.each([
    ['an endless loop', 'while (true) {}'],
    ['endless microtasks', 'for (;;) await null;'],
    ['a getter that never answers', 'return { get a() { while (true) {} } };'],
    ['toJSON that never answers', 'return new (class { toJSON() { while (true) {} } })();'],
    ['a promise that never settles', 'await new Promise(() => {});'],
  ])('%s fails its row with the time limit, and the next row works', async (_, code) => {
    const done = await runRows(culpritWorkflow(code), { pool: testPool(limits), rows: culpritRows });
    expect(done.outcome).toEqual({ kind: 'completed' });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures).toEqual([
      { row: 2, nodeId: 'culprit', message: 'time limit of 300 ms exceeded', attempts: 1 },
    ]);
  });

  it('in a run of one row is named at the first kill, among others and in an expression at the second', async () => {
    const kills = async (
      input: typeof culpritRows,
      text = culpritWorkflow('while (true) {}'),
    ): Promise<number> => {
      const { log, lines } = recordedLog();
      const done = await runRows(text, {
        pool: testPool({ ...limits, log }),
        rows: input,
      });
      expect(done.failures).toMatchObject([{ message: 'time limit of 300 ms exceeded' }]);
      return lines.filter((line) => line.includes('silent for too long')).length;
    };
    expect([await kills([{ n: 2 }]), await kills(culpritRows)]).toEqual([1, 2]);
    expect(await kills([{ n: 2 }], endless)).toBe(2);
    expect(await kills([{ n: 2 }], endless.replace('type: set', 'type: set, timeout: 1h'))).toBe(1);
  });

  it('has its onError applied', async () => {
    const text = culpritWorkflow('while (true) {}', 'onError: { value: "={ late: row.n }" }');
    const done = await runRows(text, { pool: testPool(limits), rows: culpritRows });
    expect(done.outputs).toEqual([{ n: 1 }, { n: { late: 2 } }, { n: 3 }]);
    expect(done.failures).toEqual([]);
  });

  it('is held to a shorter timeout of its node', async () => {
    const done = await runRows(culpritWorkflow('while (true) {}', 'timeout: 100ms'), {
      pool: testPool(limits),
      rows: culpritRows,
    });
    expect(done.failures).toMatchObject([{ row: 2, nodeId: 'culprit', message: 'timed out after 100 ms' }]);
  });

  it('in onError itself fails the row', async () => {
    const text = culpritWorkflow('while (true) {}', 'onError: { value: "=(() => { while (true) {} })()" }');
    const done = await runRows(text, { pool: testPool(limits), rows: culpritRows });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures).toMatchObject([{ row: 2, nodeId: 'culprit' }]);
  });

  it('ends the run at its row when rows must not fail', async () => {
    const text = culpritWorkflow('while (true) {}').replace('onRowError: skip', '');
    const done = await runRows(text, { pool: testPool(limits), rows: culpritRows });
    expect(done.outcome).toEqual({
      kind: 'failed',
      error: 'Node "culprit" failed on row 2: time limit of 300 ms exceeded',
    });
    expect(done.outputs).toEqual([{ n: 1 }, null]);
  });
});

describe('a row lost while a later one has failed', () => {
  it('is run again, and decides the end of the run', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ n: index + 1 }));
    const text = `
nodes:
  - { id: input, type: input }
  - { id: x, type: code, code: "if (row.n === 3) while (true) {} if (row.n === 40) throw 'later'; return 1;" }
  - { id: out, type: output, fields: { n: "=row.n", x: "=nodes.x" } }`;
    const done = await runRows(text, { pool: testPool(limits), rows: many });
    expect(done.outcome).toEqual({
      kind: 'failed',
      error: 'Node "x" failed on row 3: time limit of 300 ms exceeded',
    });
    expect(done.lines).toHaveLength(3);
  });
});

describe('code that takes all memory', () => {
  it.each([
    ['a list that grows', 'const all = []; for (;;) all.push({ n: all.length, text: `${all.length}` });'],
    ['a BigInt that doubles', 'const all = []; for (let n = 1n; ; n += 1n) all.push(n << 8000000n);'],
    ['lists of holes', 'const all = []; for (;;) all.push(Array(1e6).fill(0.5));'],
  ])('%s fails its row, and the next row works', async (_, code) => {
    const before = process.memoryUsage.rss();
    const done = await runRows(culpritWorkflow(code), {
      pool: testPool({ timeLimitMs: 10_000, memoryMb: 64 }),
      rows: culpritRows,
    });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures).toMatchObject([{ row: 2, nodeId: 'culprit' }]);
    expect(done.failures[0]?.message).toMatch(/^(memory limit of 64 MB exceeded|RangeError: .+)$/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
  });

  it.each([
    ['deep recursion', 'const dive = () => dive() + 1; return dive();', /Maximum call stack size exceeded/],
    [
      'a deep value',
      'let deep = []; for (let i = 0; i < 1e6; i += 1) deep = [deep]; return deep;',
      /Maximum call stack|memory limit/,
    ],
    ['a text beyond the longest', 'return "x".repeat(2 ** 30);', /Invalid string length/],
  ])('%s fails its row, and the next row works', async (_, code, message) => {
    const done = await runRows(culpritWorkflow(code), {
      pool: testPool({ timeLimitMs: 10_000, memoryMb: 128 }),
      rows: culpritRows,
    });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures[0]?.message).toMatch(message);
  });
});

describe('a worker killed from outside', () => {
  it('costs no row its output', async () => {
    const pool = testPool({});
    const many = Array.from({ length: 2000 }, (_, n) => ({ n }));
    const text = `
nodes:
  - { id: input, type: input }
  - { id: x, type: code, code: "let n = row.n; for (let i = 0; i < 2e5; i += 1) n = (n * 31 + i) % 1000003; return n;" }
  - { id: out, type: output, fields: { n: "=row.n" } }`;
    const { execution, sink } = testExecution(planOf(text), { pool, rows: many });
    const running = execution.run();
    for (let kill = 1; kill <= 3; kill += 1) {
      await expect.poll(() => sink.lines.length, { timeout: 20_000 }).toBeGreaterThan(kill * 200);
      for (const pid of await rowWorkers()) process.kill(pid, 'SIGKILL');
    }
    expect(await running).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual(many);
    await pool.close();
    expect(await rowWorkers()).toEqual([]);
  });
});

describe('a damaged rows file', () => {
  it('fails the row that cannot be read, and only that one', async () => {
    const done = await runRows(culpritWorkflow('return 2;'), {
      pool: testPool({}),
      rows: [{ n: 1 }, '{"n":', { n: 3 }],
    });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures).toMatchObject([{ row: 2, nodeId: 'input' }]);
    expect(done.failures[0]?.message).toMatch(/^the row cannot be read: SyntaxError: /);
  });
});
