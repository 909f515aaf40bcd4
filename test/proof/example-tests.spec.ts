// The tests beside the examples, as a new user runs them: all pass, and quickly. The time is measured, so no other spec
// runs meanwhile.
import { cp, readdir } from 'node:fs/promises';
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
