// Tests files that are written to keep a server busy: each has one costly rule, comparison or report. The workflow `hostile`
// makes the outputs. A server with such a folder must stay responsive while it runs the tests.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createControlClient } from '../../src-main/app/control-client.ts';
import type { TestsRunView } from '../../src-main/contract/index.ts';
import { readServerInfo } from '../../src-main/storage/documents/server-info-file.ts';
import { HealthProber } from './health-prober.ts';
import { startServerProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type HostileTests = {
  readonly title: string;
  /** Texts by name, beside `hostile.workflow.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  /** Part of the report's text; absent: all tests pass. */
  readonly found?: string;
};

/** `size` and `depth` make one large and one deep output; `same` is the same in all rows. */
const hostileWorkflow = `rowbench: 1
id: hostile
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: made
    type: code
    code: |
      if (row.fails) throw new Error('no');
      let deep = row.n;
      for (let level = 0; level < (row.depth ?? 0); level += 1) deep = [deep];
      const list = Array.from({ length: row.size ?? 0 }, (_, at) => at);
      return { list, deep, text: 'x'.repeat(row.length ?? 0) + row.n };
  - id: result
    type: output
    fields:
      n: =row.n
      same: equal
      address: "={ city: 'Oslo', place: { street: 'Main', number: 1 } }"
      list: =nodes.made.list
      deep: =nodes.made.deep
      text: =nodes.made.text
`;

const lines = (count: number, make: (n: number) => object): string =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify(make(n))}\n`).join('');

const testsFile = (expect: object, rows: string | readonly object[] = 'rows.ndjson'): string =>
  JSON.stringify({ rowbench: 1, tests: [{ name: 't', rows, expect: { status: 'completed', ...expect } }] });

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const names = (count: number): string[] => numbers(count).map((at) => `name-${at}`);

/** Rules over `rows` numbered rows. */
const rulesOver = (rows: number, expect: object): Readonly<Record<string, string>> => ({
  'hostile.tests.json': testsFile(expect),
  'rows.ndjson': lines(rows, (n) => ({ n })),
});

/** @param rows number of rows where many are the point: 40,000 froze a server for 16 s */
export const hostileTests = (rows: number): readonly HostileTests[] => [
  {
    title: '"unique" over equal outputs',
    files: rulesOver(rows, { fields: { same: { unique: true } } }),
    found: `"equal" in rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and ${rows - 10} more`,
  },
  {
    title: '"unique" and "share" over different outputs',
    files: rulesOver(rows, {
      fields: {
        n: { unique: true, share: { of: 1, between: [0, 0.5] } },
        address: { share: { of: { city: 'Oslo', place: { street: 'Main', number: 1 } }, between: [1, 1] } },
      },
    }),
  },
  {
    title: '"oneOf" with many objects',
    files: rulesOver(Math.ceil(rows / 10), {
      fields: {
        address: {
          oneOf: numbers(10_000).map((number) => ({
            city: 'Oslo',
            place: { street: 'Main', number: -number },
          })),
        },
      },
    }),
    found: 'one of',
  },
  {
    title: 'a schema with many choices for many entries',
    files: {
      'hostile.tests.json': testsFile({
        fields: {
          list: {
            schema: {
              type: 'array',
              items: {
                enum: [...numbers(40_000).map((at) => -1 - at), ...names(20_000), ...numbers(20_000)],
              },
            },
          },
        },
      }),
      'rows.ndjson': lines(20, (n) => ({ n, size: 20_000 })),
    },
  },
  {
    title: 'many rules',
    files: rulesOver(Math.ceil(rows / 100), {
      fields: Object.fromEntries(names(5_000).map((name) => [name, { notNull: true, unique: true }])),
    }),
    found: 'not null',
  },
  {
    title: 'many rows, each unlike the expected one',
    files: {
      'hostile.tests.json': testsFile({ rows: 'expected.json', contains: true }),
      'rows.ndjson': lines(rows, (n) => ({ n })),
      'expected.json': JSON.stringify(numbers(rows).map((n) => ({ n: n + 1, same: 'other' }))),
    },
    found: `and ${(2 * rows - 20).toLocaleString('en-US')} more`,
  },
  {
    title: 'one large output, all of it unlike the expected one',
    files: {
      'hostile.tests.json': testsFile({ rows: 'expected.json', contains: true }),
      'rows.ndjson': lines(1, (n) => ({ n, size: 800_000 })),
      'expected.json': JSON.stringify([{ list: numbers(800_000).map((at) => -1 - at) }]),
    },
    found: 'and 799,980 more',
  },
  {
    title: 'long texts that part at their end',
    files: {
      'hostile.tests.json': testsFile({ rows: 'expected.json', contains: true }),
      'rows.ndjson': lines(10, (n) => ({ n, length: 2_000_000 })),
      'expected.json': JSON.stringify(numbers(10).map(() => ({ text: `${'x'.repeat(2_000_000)}end` }))),
    },
    found: 'xend',
  },
  {
    title: 'deep outputs',
    files: {
      'hostile.tests.json': testsFile({ rows: numbers(50).map(() => ({ deep: [] })), contains: true }),
      'rows.ndjson': lines(50, (n) => ({ n, depth: 900 })),
    },
    found: '[[',
  },
  {
    title: 'many ignored fields',
    files: {
      'hostile.tests.json': testsFile({ rows: 'expected.json', contains: true, ignore: names(30_000) }),
      'rows.ndjson': lines(2, (n) => ({ n, size: 5_000 })),
      'expected.json': JSON.stringify(numbers(2).map(() => ({ list: numbers(5_000).map((at) => -1 - at) }))),
    },
    found: 'row 1',
  },
  {
    title: 'many failed rows',
    files: {
      'hostile.tests.json': testsFile({ fields: { n: { notNull: true } } }),
      'rows.ndjson': lines(rows, (n) => ({ n, fails: true })),
    },
    found: 'no row has an output',
  },
  {
    title: 'many failed tests',
    files: {
      'hostile.tests.json': JSON.stringify({
        rowbench: 1,
        tests: numbers(500).map((at) => ({
          name: `t${at}`,
          rows: numbers(20).map((n) => ({ n })),
          expect: {
            status: 'completed',
            contains: true,
            rows: numbers(20).map((n) => ({ n: -1 - n, same: 'other' })),
          },
        })),
      }),
    },
    found: 'and 37 more',
  },
];

/**
 * Runs the tests as a page does, on a server of their own; `silentMs` is how long it did not answer at worst. They run again if
 * that is `maxSilentMs` and more.
 */
export async function runHostileTests(
  { files }: HostileTests,
  maxSilentMs: number,
): Promise<{
  readonly view: TestsRunView;
  /** All lines of the report. */
  readonly text: string;
  readonly silentMs: number;
}> {
  const folder = await temporaryFolder();
  const [dataDir, workflows] = [join(folder, 'data'), join(folder, 'workflows')];
  await mkdir(workflows);
  await writeFile(join(workflows, 'hostile.workflow.yaml'), hostileWorkflow);
  for (const [name, text] of Object.entries(files)) await writeFile(join(workflows, name), text);
  const server = await startServerProcess({ dataDir, workflows });
  const prober = new HealthProber(server);
  try {
    const info = await readServerInfo(dataDir);
    const call = createControlClient({
      url: server.url,
      token: info?.controlToken ?? '',
      timeoutMs: 120_000,
    });
    const runTests = () => call('workflow.runTests', { workflowId: 'hostile' });
    const { result: view, silentMs } = await prober.measure(runTests, maxSilentMs);
    const results = view.files.flatMap((file) => file.results);
    const text = results.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n');
    return { view, text, silentMs };
  } finally {
    await prober.stop();
    await server.kill();
  }
}
