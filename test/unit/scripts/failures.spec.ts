import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve as resolvePath } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failuresOfPlaywright, failuresOfVitest } from '../../../scripts/failures.mjs';

let folder: string;

// Inside of the checkout, where the tools are found; its specs are of none of the projects.
beforeAll(async () => {
  await mkdir('test-results', { recursive: true });
  folder = await mkdtemp(join('test-results', 'failures-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tools = {
  vitest: {
    program: 'node_modules/vitest/vitest.mjs',
    args: ['run', '--root', '.', '--config', 'config.mjs', '--reporter=json', '--outputFile=report.json'],
  },
  playwright: {
    program: 'node_modules/@playwright/test/cli.js',
    args: ['test', '--config', 'config.mjs', '--reporter=json'],
  },
};

/** The tool's JSON report of a spec file with that text. */
async function reportOf(tool: keyof typeof tools, spec: string): Promise<unknown> {
  await writeFile(join(folder, 'one.spec.mjs'), spec);
  await writeFile(join(folder, 'config.mjs'), 'export default { testDir: ".", outputDir: "made" };');
  const { program, args } = tools[tool];
  const env = { ...process.env, VITEST: '', NODE_OPTIONS: '', PLAYWRIGHT_JSON_OUTPUT_FILE: 'report.json' };
  await new Promise((resolve) => {
    execFile(process.execPath, [resolvePath(program), ...args], { cwd: folder, env }, resolve);
  });
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
}

test('names each failed test with the beginning of its reason, and no other', async () => {
  const report = await reportOf(
    'vitest',
    `import { describe, expect, test } from 'vitest';
     test('holds', () => {});
     describe('a part', () => test('does not', () => expect(1, 'the count').toBe(2)));`,
  );
  const failures = failuresOfVitest(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.where).toMatch(/one\.spec\.mjs › a part does not$/);
  expect(failures[0]?.why).toMatch(/^AssertionError: the count: expected 1 to be 2/);
});

test('says of a test that ran out of time that it did', async () => {
  const report = await reportOf(
    'vitest',
    `import { test } from 'vitest';
     test('waits for ever', { timeout: 50 }, () => new Promise(() => {}));`,
  );
  expect(failuresOfVitest(report)[0]?.why).toMatch(/^It took too long\./);
});

test('names a file that does not load', async () => {
  const failures = failuresOfVitest(await reportOf('vitest', `throw new Error('broken at its top');`));
  expect(failures).toHaveLength(1);
  expect(failures[0]?.where).toMatch(/one\.spec\.mjs$/);
  expect(failures[0]?.why).toContain('broken at its top');
});

test('names what failed beside tests: a hook of the file, beside a test, and one of a part, alone', async () => {
  const ofFile = await reportOf(
    'vitest',
    `import { afterAll, expect, test } from 'vitest';
     afterAll(() => { throw new Error('not tidied'); });
     test('does not hold', () => expect(1).toBe(2));`,
  );
  expect(failuresOfVitest(ofFile).map(({ why }) => why.split('\n')[0])).toEqual([
    'not tidied',
    'AssertionError: expected 1 to be 2 // Object.is equality',
  ]);
  const ofPart = await reportOf(
    'vitest',
    `import { beforeAll, describe, test } from 'vitest';
     describe('a part', () => { beforeAll(() => { throw new Error('no ground'); }); test('is skipped', () => {}); });`,
  );
  const failures = failuresOfVitest(ofPart);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.why).not.toBe('');
});

test('names each failed test of a page, without colours', async () => {
  const report = await reportOf(
    'playwright',
    `import { expect, test } from '@playwright/test';
     test('holds', () => {});
     test.describe('a part', () => { test('does not', () => expect(1, 'the count').toBe(2)); });`,
  );
  const failures = failuresOfPlaywright(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.where).toMatch(/^one\.spec\.mjs:3 › a part › does not$/);
  expect(failures[0]?.why).toMatch(/^Error: the count\n/);
});
