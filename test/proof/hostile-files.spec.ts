import { describe, expect, it } from 'vitest';
import { parseTests } from '../../src-main/domain/tests/parse-tests.ts';
import type { Issue } from '../../src-main/domain/workflow/issue.ts';
import { parseWorkflow } from '../../src-main/domain/workflow/parse-workflow.ts';

const million = (text: string): string => text.repeat(Math.floor(999_000 / text.length));
const numbered = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
const head = 'rowbench: 1\nid: x\nnodes:\n  - { id: input, type: input }\n';
const manyNodes = head + numbered(900, (index) => `  - { id: abcdef${index}, type: set, values: {} }\n`);

/** Computing time of a call, in ms: other processes on the machine do not count. */
function computing<T>(call: () => T): { readonly result: T; readonly ms: number } {
  const before = process.cpuUsage();
  const result = call();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

const checkingStopped = 'Checking stopped here: the file has more than 100 issues';

function expectBounded(issues: readonly Issue[]): void {
  expect(issues).toHaveLength(101);
  expect(issues.at(-1)).toMatchObject({ severity: 'error', message: checkingStopped });
  for (const { message } of issues) expect(message.length).toBeLessThanOrEqual(501);
}

const hostileSyntax: readonly (readonly [string, () => string])[] = [
  ['tags', () => million('! ')],
  ['closing brackets', () => million(']')],
  ['pairs of braces', () => million('{}')],
  ['commas', () => `[${million(',')}]`],
  ['wrong escapes', () => `"${million('\\q')}"`],
];

/** Each took between 8 s and minutes of a core, or hundreds of megabytes of issues. */
const hostile: readonly (readonly [string, () => string])[] = [
  ['unknown keys', () => numbered(20_000, (index) => `k${index}:\n`)],
  [
    'missing nodes to wait for',
    () => `${manyNodes}  - { id: z, type: set, values: {}, after: [${'abcdxy9,'.repeat(90_000)}] }\n`,
  ],
  [
    'missing nodes to read',
    () => `${manyNodes}  - { id: z, type: set, values: { a: [${'=nodes.abcdxy9,'.repeat(20_000)}] } }\n`,
  ],
  [
    'wrong placeholders',
    () => `${head}  - { id: z, type: set, values: { a: "${'{{ x }}'.repeat(120_000)}" } }\n`,
  ],
];

describe('a file that was made to cost time and memory', () => {
  it.each(hostile)('has 100 issues and a last one, soon: %s', (_, text) => {
    const { result, ms } = computing(() => parseWorkflow(text()));
    expectBounded(result.issues);
    expect(ms).toBeLessThan(6_000);
  });

  it.each(hostileSyntax)('has one issue, soon, where it is no YAML: %s', (_, text) => {
    const { result, ms } = computing(() => parseWorkflow(text()));
    expect(result.issues).toHaveLength(1);
    expect(ms).toBeLessThan(6_000);
  });

  it('has 100 issues and a last one where it should hold tests', () => {
    expectBounded(parseTests(numbered(20_000, (index) => `k${index}:\n`)).issues);
  });

  it('is quoted in part where its names are long', () => {
    const name = 'a'.repeat(400_000);
    const { issues } = parseWorkflow(`${head}  - { id: ${name}, type: ${name}, ${name}: 1 }\n`);
    expect(JSON.stringify(issues).length).toBeLessThan(5_000);
    const reading = `${head}  - { id: ${name}, type: set, values: { a: =nodes.${'ab'.repeat(200_000)} } }\n`;
    expect(computing(() => parseWorkflow(reading)).ms).toBeLessThan(6_000);
  });

  it('says at the hundredth issue and not before that checking stopped', () => {
    const keys = (count: number): string =>
      `${head}  - { id: out, type: output, fields: { a: =row.a } }\n${numbered(count, (index) => `k${index}: 1\n`)}`;
    expect(parseWorkflow(keys(100)).issues.map(({ message }) => message)).not.toContain(checkingStopped);
    expect(parseWorkflow(keys(100)).issues).toHaveLength(100);
    expectBounded(parseWorkflow(keys(101)).issues);
  });
});
