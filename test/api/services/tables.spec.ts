import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src-main/base/invariant.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { readTestRows } from '../../../src-main/services/authoring/test-rows.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { longestTurn } from '../../builders/longest-turn.ts';
import { overADay } from '../../builders/leaping-clock.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { snapshotsIn } from '../../builders/stored-runs.ts';

const text = `rowbench: 1
id: prices
nodes:
  - { id: input, type: input }
  - { id: price, type: lookup, table: prices.csv, key: code, match: "=row.code", mock: { free: { cents: "0" } } }
  - { id: out, type: output, fields: { cents: "=nodes.price?.cents ?? 'none'" } }`;

const writeTable = (services: TestServices, table: string): Promise<void> =>
  writeFile(join(services.dataDir, 'workflows/prices.csv'), table);

async function ended(services: TestServices, runId: string): Promise<unknown[]> {
  await expect
    .poll(async () => isFinal((await services.runs.get(runId)).run.status), { timeout: 10_000 })
    .toBe(true);
  return services.outputs(runId);
}

describe('the tables of a run', () => {
  it('are those of its acceptance, also after a restart', async () => {
    const services = await openTestServices({ prices: text }, { executes: false });
    await writeTable(services, 'code,cents\na,1\n');
    const { runId } = await services.start('prices', [{ code: 'a' }, { code: 'b' }]);
    await writeTable(services, 'code,cents\na,100\nb,200\n');
    await services.close();
    const later = await openTestServices({}, { dataDir: services.dataDir });
    expect(await ended(later, runId)).toEqual([{ cents: '1' }, { cents: 'none' }]);
    const { runId: next } = await later.start('prices', [{ code: 'b' }]);
    expect(await ended(later, next)).toEqual([{ cents: '200' }]);
  });

  it('stay stored as long as a run needs them', async () => {
    const clock = new FakeClock();
    const services = await openTestServices(
      { prices: text },
      { clock, settings: { retention: { days: 1, gigabytes: 5 } } },
    );
    for (const cents of [1, 2, 3]) {
      if (cents === 3) clock.advance(overADay);
      await writeTable(services, `code,cents\na,${cents}${'0'.repeat(cents)}\n`);
      await ended(services, (await services.start('prices', [{ code: 'a' }])).runId);
    }
    // The text of the workflow, and the table of the run that is left.
    await expect.poll(() => snapshotsIn(services.dataDir)).toBe(2);
    const [last] = await services.runs.list({});
    const again = await services.runs.rerun(last?.run.runId ?? '', 'all', { kind: 'cli' });
    expect(await ended(services, again.run.runId)).toEqual([{ cents: '3000' }]);
  });

  // A table of 9 MB kept the server silent for seconds.
  it('are read in pieces, so that the server stays responsive', async () => {
    const services = await openTestServices({ prices: text });
    const codes = Array.from({ length: 400_000 }, (_, at) => `code-${at},${at}\n`);
    await writeTable(services, `code,cents\n${codes.join('')}`);
    const { result, longestPart } = await longestTurn(() => services.start('prices', [{ code: 'code-7' }]));
    expect(longestPart).toBeLessThan(0.5);
    expect(await ended(services, result.runId)).toEqual([{ cents: '7' }]);
  });

  it('and test rows are read in other encodings, and unpacked', async () => {
    const services = await openTestServices({
      prices: text
        .replace('prices.csv', 'prices.csv.gz')
        .replace('type: input }', 'type: input, testRows: rows.csv }'),
    });
    const pathOf = (name: string): string => join(services.dataDir, 'workflows', name);
    await writeFile(
      pathOf('prices.csv.gz'),
      gzipSync(Buffer.from('code,cents\ncaf\u00e9 \u0096,7\n', 'latin1')),
    );
    await writeFile(pathOf('rows.csv'), Buffer.from('code\ncafé –\n', 'utf16le'));
    const loaded = await services.workflows.find('prices');
    invariant(loaded !== undefined, 'the workflow was written');
    for await (const { bytes } of readTestRows(loaded))
      expect(Buffer.from(bytes).toString()).toBe('{"code":"café –"}\n');
    expect(await ended(services, (await services.start('prices', [{ code: 'café –' }])).runId)).toEqual([
      { cents: '7' },
    ]);
    await writeFile(pathOf('prices.csv.gz'), gzipSync('code,cents\n').subarray(0, -9));
    await expect(services.start('prices', [{ code: 'a' }])).rejects.toThrow(
      'the table prices.csv.gz cannot be read: it is packed with gzip and ends too early',
    );
  });

  it('that cannot be read refuse the run, naming file and line', async () => {
    const services = await openTestServices({ prices: text });
    const start = () => services.start('prices', [{ code: 'a' }]);
    await expect(start()).rejects.toThrow(
      /^Workflow "prices" cannot run, its file has a problem: line 5, column 39: the table prices\.csv cannot be read: there is no such file$/,
    );
    await writeTable(services, `code,${'x'.repeat(1001)}\na,1\n`);
    await expect(start()).rejects.toThrow(
      'prices.csv cannot be read: line 1: the name of a column is longer than 1000 characters',
    );
    await writeTable(services, 'name,cents\na,1\n');
    await expect(start()).rejects.toThrow(
      'its file has a problem: line 5, column 56: no record of the table prices.csv has "code"',
    );
  });

  it(
    'may have 20 MB together, with those of the workflows that are called',
    { timeout: 90_000 },
    async () => {
      const find = (n: number) =>
        `  - { id: price${n}, type: lookup, table: prices${n}.csv, key: code, match: "=row.code" }`;
      const flow = (id: string, nodes: string) => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
${nodes}
  - { id: out, type: output, fields: { a: "=row" } }`;
      const services = await openTestServices({
        prices: flow('prices', [1, 2, 3].map(find).join('\n')),
        caller: flow(
          'caller',
          `${find(1)}\n${find(2)}\n  - { id: call, type: workflow, workflow: callee, row: { code: 1 } }`,
        ),
        callee: flow('callee', find(3)),
      });
      const write = (n: number, bytes: number): Promise<void> =>
        writeFile(join(services.dataDir, `workflows/prices${n}.csv`), `code\n${'x'.repeat(bytes - 6)}\n`);
      await Promise.all([write(1, 9e6), write(2, 9e6), write(3, 2e6)]);
      for (const id of ['prices', 'caller'])
        expect(await ended(services, (await services.start(id, [{ code: 1 }])).runId)).toHaveLength(1);
      await write(3, 2e6 + 1);
      const problem =
        'the table prices3.csv is too much: all tables of a run, with those of the workflows that it calls, may have 20 MB together';
      await expect(services.start('prices', [{ code: 1 }])).rejects.toThrow(`line 7, column 40: ${problem}`);
      await expect(services.start('caller', [{ code: 1 }])).rejects.toThrow(problem);
    },
  );

  it('are not needed by a run in which a mock stands in', async () => {
    const services = await openTestServices({ prices: text });
    const { runId } = await services.start('prices', [{ code: 'a' }], { mocks: { price: 'free' } });
    expect(await ended(services, runId)).toEqual([{ cents: '0' }]);
  });
});
