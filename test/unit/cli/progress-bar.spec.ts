import { describe, expect, it } from 'vitest';
import { ProgressBar, progressLine } from '../../../src-main/cli/terminal/progress-bar.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { recordedTerminal } from '../../builders/recorded-terminal.ts';

describe('the progress line', () => {
  it('shows rows, rate and time left', () => {
    expect(progressLine({ done: 1200, total: 4800, elapsedMs: 2000 }, 100)).toBe(
      '[######..................] 1,200 / 4,800 rows  600 rows/s  6.0 s left',
    );
  });

  it('shows no time left before the first row and after the last', () => {
    expect(progressLine({ done: 0, total: 10, elapsedMs: 500 }, 100)).toMatch(/0 \/ 10 rows {2}0 rows\/s$/);
    expect(progressLine({ done: 10, total: 10, elapsedMs: 500 }, 100)).toMatch(
      /\] 10 \/ 10 rows {2}20 rows\/s$/,
    );
  });

  it('is never wider than the terminal', () => {
    expect(progressLine({ done: 1200, total: 4800, elapsedMs: 2000 }, 30)).toHaveLength(29);
  });

  it('is full for a run without rows', () => {
    expect(progressLine({ done: 0, total: 0, elapsedMs: 0 }, 100)).toContain(`[${'#'.repeat(24)}]`);
  });
});

describe('the progress bar', () => {
  it('draws nothing where no person looks', () => {
    const terminal = recordedTerminal({ errIsTerminal: false });
    const bar = new ProgressBar(terminal, new FakeClock());
    bar.update(1, 2);
    bar.clear();
    expect(terminal.errText()).toBe('');
  });

  it('draws ten times a second at most and takes itself away', () => {
    const terminal = recordedTerminal({ errIsTerminal: true });
    const clock = new FakeClock();
    const bar = new ProgressBar(terminal, clock);
    bar.update(1, 100);
    clock.advance(99);
    bar.update(2, 100);
    clock.advance(1);
    bar.update(3, 100);
    expect(terminal.errText().match(/\d+ \/ 100 rows/g)).toEqual(['1 / 100 rows', '3 / 100 rows']);
    bar.clear();
    expect(terminal.errText().endsWith('\r\u001b[K')).toBe(true);
  });
});
