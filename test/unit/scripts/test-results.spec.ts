import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve as resolvePath } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  failureBesideTests,
  hasFailed,
  resultsOfPlaywright,
  resultsOfVitest,
  summaryOf,
  type TestResult,
} from '../../../scripts/test-results.mjs';

let folder: string;
let ofVitest: TestResult[];
let ofPlaywright: TestResult[];

/** Spec files for vitest, by name. */
const specs = {
  'tests.spec.mjs': `import { describe, expect, test } from 'vitest';
    test('holds', () => {});
    describe('a part', () => test('does not', () => expect(1, 'the count').toBe(2)));
    test.skip('is left out', () => {});`,
  'endless.spec.mjs': `import { test } from 'vitest';
    test('waits for ever', { timeout: 50 }, () => new Promise(() => {}));`,
  'broken.spec.mjs': `throw new Error('broken at its top');`,
  'hook.spec.mjs': `import { afterAll, expect, test } from 'vitest';
    afterAll(() => { throw new Error('not tidied'); });
    test('does not hold', () => expect(1).toBe(2));`,
  'part.spec.mjs': `import { beforeAll, describe, test } from 'vitest';
    describe('a part', () => { beforeAll(() => { throw new Error('no ground'); }); test('is skipped', () => {}); });`,
};
const pageSpec = `import { expect, test } from '@playwright/test';
  test('holds', () => {});
  test.describe('a part', () => { test('does not', () => expect(1, 'the count').toBe(2)); });
  test.skip('is left out', () => {});`;

// Inside of the checkout, where the tools are found; its specs are of none of the projects.
beforeAll(async () => {
  await mkdir('test-results', { recursive: true });
  folder = await mkdtemp(join('test-results', 'results-'));
  await writeFile(
    join(folder, 'config.mjs'),
    'export default { testDir: ".", outputDir: "made", testMatch: "page.mjs", workers: 1 };',
  );
  await writeFile(join(folder, 'page.mjs'), pageSpec);
  for (const [name, text] of Object.entries(specs)) await writeFile(join(folder, name), text);
  ofVitest = resultsOfVitest(
    await reportOf('vitest/vitest.mjs', ['run', '--root=.', '--reporter=json', '--outputFile=report.json']),
  );
  ofPlaywright = resultsOfPlaywright(await reportOf('@playwright/test/cli.js', ['test', '--reporter=json']));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Report that the tool writes to `report.json`. @param program in node_modules */
async function reportOf(program: string, args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, VITEST: '', NODE_OPTIONS: '', PLAYWRIGHT_JSON_OUTPUT_FILE: 'report.json' };
  const path = resolvePath('node_modules', program);
  await new Promise((resolve) => {
    execFile(process.execPath, [path, ...args, '--config=config.mjs'], { cwd: folder, env }, resolve);
  });
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
}

const ofFile = (name: string): TestResult[] =>
  ofVitest.filter(({ file }) => file?.endsWith(`/${name}`) === true);

test('tests of vitest passed, failed with the beginning of the reason, or were skipped', () => {
  const results = ofFile('tests.spec.mjs');
  expect(results.map(({ status, isTest }) => [status, isTest])).toEqual([
    ['passed', true],
    ['failed', true],
    ['skipped', true],
  ]);
  expect(results[1]?.where).toMatch(/tests\.spec\.mjs › a part does not$/);
  expect(results[1]?.why).toMatch(/^AssertionError: the count: expected 1 to be 2/);
});

test('the reason of a test that ran out of time says so', () => {
  expect(ofFile('endless.spec.mjs')[0]?.why).toMatch(/^It took too long\./);
});

test('a file that does not load is a failure beside tests', () => {
  expect(ofFile('broken.spec.mjs')).toMatchObject([{ isTest: false, status: 'failed' }]);
  expect(ofFile('broken.spec.mjs')[0]?.where).toMatch(/broken\.spec\.mjs$/);
  expect(ofFile('broken.spec.mjs')[0]?.why).toContain('broken at its top');
});

test('a hook that fails is a failure beside tests: of a file with failed tests, and of a part', () => {
  expect(ofFile('hook.spec.mjs').map(({ why }) => why?.split('\n')[0])).toEqual([
    'not tidied',
    'AssertionError: expected 1 to be 2 // Object.is equality',
  ]);
  const ofPart = ofFile('part.spec.mjs');
  expect(ofPart.map(({ status, isTest }) => [status, isTest])).toEqual([
    ['failed', false],
    ['skipped', true],
  ]);
  expect(ofPart[0]?.why).not.toBe('');
});

test('tests of a page passed, failed with a reason without colours, or were skipped', () => {
  expect(ofPlaywright.map(({ status }) => status).toSorted()).toEqual(['failed', 'passed', 'skipped']);
  const failure = ofPlaywright.find(hasFailed);
  expect(failure).toMatchObject({ where: 'page.mjs:3 › a part › does not', file: 'page.mjs', line: 3 });
  expect(failure?.why).toMatch(/^Error: the count\n/);
});

const passed = { where: 'a › holds', file: 'a', isTest: true, status: 'passed' } as const;
const failed = { ...passed, where: 'a › fails', status: 'failed', why: 'Error: 1\nat a' } as const;
const skipped = { ...passed, where: 'a › waits', status: 'skipped' } as const;

test('the last line counts the tests and all failures, and a failed check is no test', () => {
  const { isOk, text } = summaryOf([passed, failed, skipped, failureBesideTests('check:lint')]);
  expect(isOk).toBe(false);
  expect(text).toBe(
    '\nFAILED a › fails\n    Error: 1\n    at a\n\nFAILED check:lint\n    see above\n\n1 passed, 2 failed, 1 skipped',
  );
});

test('a run without tests did not go well', () => {
  expect(summaryOf([])).toEqual({ isOk: false, text: '\n0 passed, 0 failed' });
});
