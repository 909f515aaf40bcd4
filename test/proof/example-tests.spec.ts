// The tests beside the examples, as a new user runs them: all pass, and quickly. The time is measured, so no other spec
// runs meanwhile.
import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCliProcess } from '../builders/run-cli.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
/** About twice the time on two cores, in ms. */
const maxMs = 6000;

it('the tests of all examples pass in six seconds', { timeout: 30_000 }, async () => {
  const cwd = await temporaryFolder();
  await cp(examples, cwd, { recursive: true });
  const from = performance.now();
  const { code, stdout } = await runCliProcess(['test'], { cwd });
  expect(performance.now() - from).toBeLessThan(maxMs);
  const workflows = (await readdir(examples)).filter((name) => name.endsWith('.workflow.yaml'));
  expect(stdout.match(/^ok/gm)).toHaveLength(workflows.length);
  expect(code).toBe(0);
});

/** Recordings that versions before `share`, `session` and `url` made, with the first digits of their SHA-256. */
const oldRecordings = {
  'chat-replies': '6651e7ae31aa8f03',
  'company-lookup': 'bbfdb5519d5d5b85',
  'order-export': '76c6a1a5a0067b9e',
  'order-prices': '5125958774d4bbfb',
  'shipping-labels': '884c862394896f12',
};

it('recordings of earlier versions, which these tests replay, are as they were', async () => {
  const found = await Promise.all(
    Object.keys(oldRecordings).map(async (name) => {
      const bytes = await readFile(`${examples}${name}.cassette.json`);
      return [name, createHash('sha256').update(bytes).digest('hex').slice(0, 16)];
    }),
  );
  expect(Object.fromEntries(found)).toEqual(oldRecordings);
});
