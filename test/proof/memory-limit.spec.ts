// Memory that a row takes outside V8's heap, which V8's own limit does not count.
import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import type { MemoryWatcher } from '../../src-main/executor/process/memory-limit.ts';
import { utilityWorkers } from '../../src-main/executor/process/utility-worker.ts';
import type { WorkerPool } from '../../src-main/executor/pool/worker-pool.ts';
import { culpritRows, culpritWorkflow } from '../builders/culprit-workflow.ts';
import { runRows, testPool } from '../builders/execution-rig.ts';
import { utilityDouble } from '../builders/utility-double.ts';

const script = join(import.meta.dirname, '../../dist/row-worker.cjs');
const limits = { timeLimitMs: 20_000, memoryMb: 64 };

/** Code that repeatedly takes 75 MB outside the heap, so that the watch detects it on slow machines too. */
const nativeMemory = "const large = '\\uFDFA'.repeat(4e6); for (;;) large.normalize('NFKD').length;";

const pools: readonly (readonly [string, () => WorkerPool])[] = [
  ...(['main-process', 'worker-thread'] as const).flatMap(
    (memoryWatcher: MemoryWatcher): [string, () => WorkerPool][] => [
      [`a forked worker that the ${memoryWatcher} watches`, () => testPool({ ...limits, memoryWatcher })],
      [
        `a utility process that the ${memoryWatcher} watches`,
        () => {
          const { memoryMb } = limits;
          const startWorker = utilityWorkers(utilityDouble().fork, { script, memoryMb, memoryWatcher });
          return testPool({ ...limits, startWorker });
        },
      ],
    ],
  ),
];

describe.each(pools)('%s', (_, newPool) => {
  it('is ended when native memory exceeds the limit, and costs the other rows nothing', async () => {
    const done = await runRows(culpritWorkflow(nativeMemory), { pool: newPool(), rows: culpritRows });
    expect(done.outcome).toEqual({ kind: 'completed' });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures).toEqual([
      { row: 2, nodeId: 'culprit', message: 'memory limit of 64 MB exceeded', attempts: 1 },
    ]);
  });

  it('runs rows that stay within the limit', async () => {
    const many = Array.from({ length: 2000 }, (_row, n) => ({ n, text: 'x'.repeat(1000) }));
    const done = await runRows(culpritWorkflow('return row.text.length;'), { pool: newPool(), rows: many });
    expect(done.failures).toEqual([]);
    expect(done.outputs).toEqual(many.map(({ n }) => ({ n: n === 2 ? 1000 : n })));
  });
});

describe('a row that exceeds the memory limit beside the heap', () => {
  it('has its onError applied', async () => {
    const text = culpritWorkflow(nativeMemory, 'onError: { value: "={ large: row.n }" }');
    const done = await runRows(text, { pool: testPool(limits), rows: culpritRows });
    expect(done.outputs).toEqual([{ n: 1 }, { n: { large: 2 } }, { n: 3 }]);
  });
});

describe('a built-in function that takes native memory beside the heap', () => {
  it.each([
    [
      'normalize',
      "return '\\uFDFA'.repeat(1.5e7).normalize('NFKD').length;",
      'RangeError: normalize takes at most 4194304 characters, and was given 15000000',
    ],
    [
      'encodeURIComponent',
      "return encodeURIComponent('\\u00e9'.repeat(8e7)).length;",
      'RangeError: encodeURIComponent takes at most 4194304 characters, and was given 80000000',
    ],
    [
      'encodeURI',
      "return encodeURI('\\u20ac'.repeat(5e7)).length;",
      'RangeError: encodeURI takes at most 4194304 characters, and was given 50000000',
    ],
    [
      'JSON.parse',
      'return JSON.parse(\'["]\\\\"]",{"a":[1]},\' + \'[\'.repeat(6e7));',
      'RangeError: JSON is nested more than 1000000 levels deep',
    ],
  ])('%s refuses what would take gigabytes', async (_, code, message) => {
    const done = await runRows(culpritWorkflow(code), {
      pool: testPool({ ...limits, memoryMb: 256 }),
      rows: culpritRows,
    });
    expect(done.outputs).toEqual([{ n: 1 }, null, { n: 3 }]);
    expect(done.failures).toMatchObject([{ row: 2, nodeId: 'culprit', message }]);
  });

  it('is otherwise the function of the language', async () => {
    const code = `
      const thrown = (call) => { try { return call(); } catch (error) { return error.name; } };
      const long = JSON.stringify(Array(300000).fill({ a: '[[{"\\\\\\\\' }));
      const same = [
        [String.prototype.normalize, 'normalize', 0], [JSON.parse, 'parse', 2],
        [encodeURI, 'encodeURI', 1], [encodeURIComponent, 'encodeURIComponent', 1],
      ].map(([each, name, length]) => each.name === name && each.length === length && Object.isFrozen(each)
        && !('prototype' in each) && thrown(() => new each()) === 'TypeError');
      return [
        same,
        'e\\u0301'.normalize(), '\\uFB01'.normalize('NFKD'), String.prototype.normalize.call(12),
        thrown(() => 'x'.normalize('wrong')), thrown(() => String.prototype.normalize.call(null)),
        thrown(() => String.prototype.normalize.call(Symbol('x'))),
        encodeURIComponent('é&/'), encodeURI('é&/'), encodeURIComponent(), thrown(() => encodeURI('\\ud800')),
        JSON.parse('[1,{"a":2}]', (key, value) => (key === 'a' ? value + 1 : value)), JSON.parse(null),
        thrown(() => JSON.parse()), thrown(() => JSON.parse(Symbol('x'))),
        long.length > 1000000 && JSON.parse(long).length,
      ];`;
    const done = await runRows(culpritWorkflow(code), { pool: testPool({}), rows: [{ n: 2 }] });
    expect(done.failures).toEqual([]);
    expect((done.outputs[0] as { n: unknown }).n).toEqual([
      [true, true, true, true],
      ...['é', 'fi', '12', 'RangeError', 'TypeError', 'TypeError'],
      ...['%C3%A9%26%2F', '%C3%A9&/', 'undefined', 'URIError'],
      ...[[1, { a: 3 }], null, 'SyntaxError', 'TypeError', 300_000],
    ]);
  });
});
