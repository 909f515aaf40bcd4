// The measure of the other proofs: a server that blocks its thread is silent, and one that waits for a core is not.
import { expect, it, onTestFinished } from 'vitest';
import { HealthProber } from '../builders/health-prober.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { awakeMsBetween, type Moment } from './awake-time.mjs';

const momentAt = (atMs: number, more: Partial<Moment> = {}): Moment => ({
  atMs,
  queuedMs: 0,
  stolenMs: [],
  ...more,
});

it.skipIf(process.platform === 'win32')(
  'a server is silent while its thread computes or waits in one turn',
  async () => {
    const server = await startServerProcess({
      dataDir: await temporaryFolder(),
      fault: 'blocked-turn.mjs',
    });
    onTestFinished(() => server.kill());
    const prober = new HealthProber(server);
    onTestFinished(() => prober.stop());
    for (const left of [1, 0]) {
      const block = async (): Promise<void> => {
        server.process.kill('SIGUSR2');
        await expect.poll(server.stderr, { timeout: 50_000 }).toContain(`turns left: ${left}`);
      };
      expect((await prober.measure(block, Infinity)).silentMs).toBeGreaterThan(150);
    }
  },
);

it('awake time is the time without the wait for a core, and without what the host took from one core', () => {
  const from = momentAt(1_000, { queuedMs: 50, stolenMs: [10, 500] });
  expect(awakeMsBetween(from, momentAt(1_400, { queuedMs: 150, stolenMs: [10, 560] }))).toBe(240);
});

it('awake time is the whole time where the system does not tell of waits', () => {
  expect(awakeMsBetween(momentAt(1_000), momentAt(1_400))).toBe(400);
});
