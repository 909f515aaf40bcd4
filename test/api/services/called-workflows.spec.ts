import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { workflowOf } from '../../builders/workflow-set.ts';

const calling = (id: string, other: string, more = ''): string =>
  workflowOf(
    id,
    `  - { id: sub, type: workflow, workflow: ${other}, row: "=row"${more} }`,
    '{ got: "=nodes.sub.got" }',
  );
const answering = (value: string): string => workflowOf('inner', '', `{ got: "${value}" }`);

async function ended(services: TestServices, runId: string): Promise<unknown[]> {
  await expect
    .poll(async () => isFinal((await services.runs.get(runId)).run.status), { timeout: 10_000 })
    .toBe(true);
  return services.outputs(runId);
}

describe('the workflows that a run calls', () => {
  it('are those of its acceptance, also after a restart, with their tables', async () => {
    const inner = (label: string) =>
      workflowOf(
        'inner',
        '  - { id: price, type: lookup, table: t.csv, key: code, match: a }',
        `{ got: "${label} {{ nodes.price.cents }}" }`,
      );
    const services = await openTestServices(
      { outer: calling('outer', 'inner'), inner: inner('old') },
      { executes: false },
    );
    const table = join(services.dataDir, 'workflows/t.csv');
    await writeFile(table, 'code,cents\na,1\n');
    const { runId } = await services.start('outer', [{}]);
    await services.write('inner', inner('new'));
    await writeFile(table, 'code,cents\na,22\n');
    await services.close();
    const later = await openTestServices({}, { dataDir: services.dataDir });
    expect(await ended(later, runId)).toEqual([{ got: 'old 1' }]);
    expect(await ended(later, (await later.start('outer', [{}])).runId)).toEqual([{ got: 'new 22' }]);
  });

  it('are not looked for where a mock stands in', async () => {
    const services = await openTestServices({
      outer: calling('outer', 'gone', ', mock: { fine: { got: 1 } }'),
    });
    const { runId } = await services.start('outer', [{}], { mocks: { sub: 'fine' } });
    expect(await ended(services, runId)).toEqual([{ got: 1 }]);
  });

  it.each([
    ['is not there', {}, 'there is no workflow "inner"'],
    ['has errors', { inner: answering('=rwo') }, 'the workflow "inner" has errors: inner.workflow.yaml:6:'],
    [
      'calls back',
      { inner: calling('inner', 'outer') },
      'these workflows call each other: outer -> inner -> outer',
    ],
    [
      'calls itself',
      { inner: calling('inner', 'inner') },
      'these workflows call each other: outer -> inner -> inner',
    ],
    [
      'lacks a table',
      {
        inner: workflowOf(
          'inner',
          '  - { id: t, type: lookup, table: t.csv, key: a, match: b }',
          '{ got: "=nodes.t" }',
        ),
      },
      'the table t.csv cannot be read: there is no such file',
    ],
  ])('refuse the run where one %s', async (_, others, message) => {
    const services = await openTestServices({ outer: calling('outer', 'inner'), ...others });
    const started = services.start('outer', [{}]);
    await expect(started).rejects.toMatchObject({ code: 'workflow_invalid' });
    await expect(started).rejects.toThrow(
      'Workflow "outer" cannot run, its file has a problem: line 5, column 42: ',
    );
    await expect(started).rejects.toThrow(message);
  });

  it('may call each other eight deep', async () => {
    const chain = (length: number) =>
      Object.fromEntries([
        ...Array.from({ length }, (_, n) => [
          `w${n}`,
          calling(`w${n}`, n + 1 === length ? 'inner' : `w${n + 1}`),
        ]),
        ['inner', answering('bottom')],
      ]) as Record<string, string>;
    const services = await openTestServices(chain(9));
    expect(await ended(services, (await services.start('w1', [{}])).runId)).toEqual([{ got: 'bottom' }]);
    await expect(services.start('w0', [{}])).rejects.toThrow(
      'workflows may call each other 8 deep at most: w0 -> w1',
    );
    // Also where the deep part is known from another way to it.
    const two = workflowOf(
      'two',
      '  - { id: a, type: workflow, workflow: w2, row: {} }\n  - { id: b, type: workflow, workflow: w0, row: {} }',
      '{ got: "=[nodes.a, nodes.b]" }',
    );
    await services.write('two', two);
    await expect(services.start('two', [{}])).rejects.toThrow('8 deep at most');
  });

  it('must be trusted like the one that calls them', async () => {
    const services = await openTestServices({ outer: calling('outer', 'inner') });
    await mkdir(join(services.dataDir, 'workflows/inner'));
    await writeFile(join(services.dataDir, 'workflows/inner/inner.workflow.yaml'), answering('=row'));
    await expect(services.start('outer', [{}])).rejects.toMatchObject({ code: 'workflow_untrusted' });
  });
});
