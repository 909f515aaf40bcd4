// Tests files that are written to keep a server busy: it answers `/healthz` within 150 ms all the while. Waits for a core are
// not counted, so others run meanwhile.
import { expect, it } from 'vitest';
import { hostileTests, runHostileTests } from '../builders/hostile-tests.ts';
import { isLong, report, timeoutMs } from './length.ts';

const maxSilentMs = 150;

it.each(hostileTests(isLong ? 100_000 : 20_000))(
  'a server answers while it runs tests with $title',
  { timeout: timeoutMs(180_000) },
  async (tests) => {
    const { view, text, silentMs } = await runHostileTests(tests, maxSilentMs);
    report(
      `tests with ${tests.title}: silent for ${Math.round(silentMs)} ms at most, in ${Math.round(view.ms)} ms`,
    );
    expect(text).toContain(tests.found ?? '');
    expect(silentMs).toBeLessThan(maxSilentMs);
  },
);
