// Tests files that are written to keep a server busy. `test/proof` measures all of them; here, the server is not silent for
// as long as it was when such tests were evaluated in its own thread: `unique` over 10,000 rows took a second.
import { expect, it } from 'vitest';
import { hostileTests, runHostileTests } from '../../builders/hostile-tests.ts';

const titles = [
  '"unique" over equal outputs',
  'a schema with many choices for many entries',
  'one large output, all of it unlike the expected one',
  'deep outputs',
];

const maxSilentMs = 150;

it.each(hostileTests(10_000).filter(({ title }) => titles.includes(title)))(
  'a server answers while it runs tests with $title',
  { timeout: 120_000 },
  async (tests) => {
    const { view, text, silentMs } = await runHostileTests(tests, maxSilentMs);
    expect(view.files.flatMap(({ results }) => results.map(({ status }) => status))).toEqual([
      tests.found === undefined ? 'passed' : 'failed',
    ]);
    expect(text).toContain(tests.found ?? '');
    expect(silentMs).toBeLessThan(maxSilentMs);
  },
);
