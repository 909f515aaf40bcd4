import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseInput } from '../../../src-main/contract/parse-input.ts';
import { startTestApp, sampleWorkflows, type TestApp } from '../../builders/start-test-app.ts';

const doubled = `rowbench: 1
id: doubled
nodes:
  - id: input
    type: input
    fields:
      n: { type: number, required: true, description: What is doubled }
  - { id: twice, type: set, values: { n: "=row.n * 2" } }
  - { id: result, type: output, fields: { n: "=nodes.twice.n" } }
`;
const tests = `rowbench: 1
tests:
  - name: two is four
    rows: [{ n: 2 }]
    expect: { status: completed, rows: [{ n: 4 }] }
  - name: two is five
    rows: [{ n: 1 }, { n: 2 }]
    expect: { status: completed, rows: [{ n: 2 }, { n: 5 }] }
  - name: its rows are gone
    rows: gone.json
    expect: { status: completed, rows: [] }
`;
const table = `rowbench: 1
id: table
nodes:
  - { id: input, type: input }
  - { id: zone, type: lookup, table: zones.csv, key: zip, match: "=row.zip" }
  - { id: result, type: output, fields: { zone: "=nodes.zone" } }
`;

const withRows = (testRows: string, rows: string): string => `rowbench: 1
id: odd
nodes:
  - { id: input, type: input, testRows: ${testRows} }
  - { id: zone, type: lookup, table: ${rows}, key: zip, match: "=row.zip" }
  - { id: result, type: output, fields: { zone: "=nodes.zone" } }
`;

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp({ workflows: { doubled, table, ...sampleWorkflows }, limits: 'off' });
  folder = join(app.dataDir, 'workflows');
  await writeFile(join(folder, 'doubled.tests.yaml'), tests);
});
afterAll(() => app.close());

describe('workflow.source', () => {
  it('gives the text with its nodes and edges', async () => {
    const source = await app.handlers['workflow.source']({ workflowId: 'doubled' });
    expect(source).toMatchObject({
      text: doubled,
      isCut: false,
      issues: [],
    });
    expect(source.nodes.map(({ id, first, last }) => [id, first, last])).toEqual([
      ['input', 4, 7],
      ['twice', 8, 8],
      ['result', 9, 9],
    ]);
    expect(source.hash).toBe((await app.handlers['workflow.show']({ workflowId: 'doubled' })).hash);
  });

  it('gives the text and the issues of a file with errors', async () => {
    const source = await app.handlers['workflow.source']({ workflowId: 'broken' });
    expect(source.issues).toMatchObject([{ severity: 'error', line: 5, nodeId: 'result' }]);
    expect(source.nodes).toHaveLength(2);
  });

  it('tells of what is wrong beside the file, such as a table that is not there', async () => {
    const { issues } = await app.handlers['workflow.source']({ workflowId: 'table' });
    expect(issues).toMatchObject([{ severity: 'error', line: 5, message: /zones\.csv/ }]);
  });

  it('cuts what is too large to be a workflow', async () => {
    const file = join(folder, 'large.workflow.yaml');
    await writeFile(file, `# ${'x'.repeat(1_200_000)}`);
    const source = await app.handlers['workflow.source']({ workflowId: 'large' });
    expect([source.isCut, source.text.length]).toEqual([true, 1_000_000]);
    await unlink(file);
    await expect(app.handlers['workflow.source']({ workflowId: 'large' })).rejects.toThrow(
      'No workflow has the id "large"',
    );
  });
});

describe('workflow.tests and workflow.runTests', () => {
  it('list the tests without running them', async () => {
    const { files } = await app.handlers['workflow.tests']({ workflowId: 'doubled' });
    expect(files.map(({ name, tests: all }) => [name, all.map((each) => each.name)])).toEqual([
      ['doubled.tests.yaml', ['two is four', 'two is five', 'its rows are gone']],
    ]);
    expect(await app.handlers['workflow.tests']({ workflowId: 'echo' })).toEqual({ files: [] });
  });

  it('run them as the command line does, and say what differs and what could not be run', async () => {
    const ran = await app.handlers['workflow.runTests']({ workflowId: 'doubled' });
    expect([ran.passed, ran.failed]).toEqual([1, 2]);
    const results = ran.files[0]?.results ?? [];
    expect(results.map(({ status }) => status)).toEqual(['passed', 'failed', 'broken']);
    expect(results[1]?.lines).toEqual([
      { sign: '', text: 'row 2', depth: 0, part: { row: 2, path: [] } },
      { sign: '', text: 'n', depth: 1, part: { row: 2, path: ['n'] } },
      { sign: '-', text: '5', depth: 2 },
      { sign: '+', text: '4', depth: 2 },
    ]);
    expect(results[2]?.lines[0]?.text).toContain('gone.json');
    expect(await app.handlers['run.list']({ limit: 50 })).toEqual([]);
  });

  it('run one alone, several calls one after the other', async () => {
    const one = { workflowId: 'doubled', test: 'two is four' };
    const ran = await Promise.all([1, 2, 3].map(() => app.handlers['workflow.runTests'](one)));
    expect(ran.map(({ passed, failed }) => [passed, failed])).toEqual(Array(3).fill([1, 0]));
  });

  it('say what is wrong in the tests file, and in the workflow', async () => {
    const file = join(folder, 'broken.tests.yaml');
    await writeFile(file, tests);
    const ran = await app.handlers['workflow.runTests']({ workflowId: 'broken' });
    expect([ran.failed, ran.files[0]?.issues.length]).toEqual([1, 1]);
    await writeFile(file, 'tests: 7');
    const { files } = await app.handlers['workflow.tests']({ workflowId: 'broken' });
    expect(files[0]?.issues.length).toBeGreaterThan(0);
    await unlink(file);
  });

  it('run no test of an import that is not trusted', async () => {
    const home = await mkdtemp(join(tmpdir(), 'rowbench-import-'));
    await writeFile(join(home, 'brought.workflow.yaml'), doubled.replace('id: doubled', 'id: brought'));
    await writeFile(join(home, 'brought.tests.yaml'), tests.slice(0, tests.indexOf('  - name: its rows')));
    await app.handlers['workflow.import']({ path: home, replaces: false });
    const { files } = await app.handlers['workflow.tests']({ workflowId: 'brought' });
    expect(files[0]?.tests).toHaveLength(2);
    await expect(app.handlers['workflow.runTests']({ workflowId: 'brought' })).rejects.toThrow(/trust/);
    await rm(home, { recursive: true });
  });

  it('an import takes files that the client sends', async () => {
    const text = doubled.replace('id: doubled', 'id: sent');
    const files = [
      { name: 'sent.workflow.yaml', text },
      { name: 'sent.tests.yaml', text: tests.slice(0, tests.indexOf('  - name: its rows')) },
    ];
    const preview = await app.handlers['workflow.inspect']({ files, replaces: false });
    expect(preview).toMatchObject({ problems: [], workflows: [{ id: 'sent', files: ['sent.tests.yaml'] }] });
    const other = [{ name: 'sent.workflow.yaml', text: `${text}# changed\n` }];
    const trusted = { replaces: false, trusted: preview.digest };
    await expect(app.handlers['workflow.import']({ files: other, ...trusted })).rejects.toThrow(/changed/);
    const [imported] = await app.handlers['workflow.import']({ files, ...trusted });
    expect(imported).toMatchObject({ id: 'sent', trust: 'trusted' });
    expect((await app.handlers['workflow.tests']({ workflowId: 'sent' })).files[0]?.tests).toHaveLength(2);
  });

  it.each([
    [
      [
        { name: 'rows.csv', text: 'a\n1\n' },
        { name: 'more.csv', text: '' },
      ],
      /holds no workflow files/,
    ],
    [[{ name: '../up.workflow.yaml', text: doubled }], /not every system has files of this name/],
  ])('an import refuses the files %j', async (files, problem) => {
    const look = async () =>
      (await app.handlers['workflow.inspect']({ files, replaces: false })).problems.join('\n');
    await expect(look().catch((error: unknown) => String(error))).resolves.toMatch(problem);
  });

  it.each([
    [
      'a file and a folder of one name',
      [
        { name: 'odd.workflow.yaml', text: withRows('rows', 'rows/more.csv') },
        { name: 'rows', text: '[]' },
        { name: 'rows/more.csv', text: 'zip\n1\n' },
      ],
      /rows\/more\.csv: a folder cannot hold this file beside the others/,
    ],
    [
      'a folder of the name under which the workflow is stored',
      [
        { name: 'odd.workflow.yaml', text: withRows('odd.workflow.yaml/rows.json', 'zones.csv') },
        { name: 'odd.workflow.yaml/rows.json', text: '[]' },
        { name: 'zones.csv', text: 'zip\n1\n' },
      ],
      /odd\.workflow\.yaml\/rows\.json: a folder cannot hold this file/,
    ],
    [
      'names that differ in case',
      [
        { name: 'odd.workflow.yaml', text: withRows('zones.json', 'Zones.json') },
        { name: 'zones.json', text: '[]' },
        { name: 'Zones.json', text: '[]' },
      ],
      /zones\.json: a folder cannot hold this file/,
    ],
    [
      'two files of one name',
      [
        { name: 'odd.workflow.yaml', text: doubled },
        { name: 'odd.workflow.yaml', text: table },
      ],
      /two files named "odd\.workflow\.yaml"/,
    ],
  ])('an import refuses %s, and the data folder stays in use', async (_, files, problem) => {
    await expect(app.handlers['workflow.import']({ files, replaces: false })).rejects.toThrow(problem);
    const sent = [{ name: 'fine.workflow.yaml', text: doubled.replace('id: doubled', 'id: fine') }];
    await expect(app.handlers['workflow.import']({ files: sent, replaces: true })).resolves.toHaveLength(1);
  });

  it.each([{ replaces: false }, { path: '/x', files: [{ name: 'a.yaml', text: '' }], replaces: false }])(
    'an import has a path or files, not %j',
    (input) => {
      expect(() => parseInput('workflow.inspect', input)).toThrow(/a path or files/);
    },
  );
});
