import type { Clock } from '../../base/clock.ts';
import { count, duration } from '../../domain/format.ts';
import { clearLine, type Terminal } from './terminal.ts';

export type Progress = {
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** The things that are counted; absent: rows. */
  readonly unit?: 'rows' | 'runs';
};

const barWidth = 24;
/** Often enough to look alive, seldom enough to cost nothing. */
const redrawEveryMs = 100;

/** `[######......] 1,200 / 4,000 rows  600 rows/s  4.7 s left`, cut to the terminal's width. */
export function progressLine({ done, total, elapsedMs, unit = 'rows' }: Progress, columns: number): string {
  const filled = total === 0 ? barWidth : Math.floor((barWidth * done) / total);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const left = rate > 0 && done < total ? `  ${duration(((total - done) * 1000) / rate)} left` : '';
  const line = `${bar} ${count(done)} / ${count(total)} ${unit}  ${count(Math.round(rate))} ${unit}/s${left}`;
  return line.slice(0, columns - 1);
}

/** Draws on standard error while a person watches, and nothing at all otherwise. */
export class ProgressBar {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #unit: 'rows' | 'runs';
  #startedAt: number | undefined;
  #drawnAt = -Infinity;
  #isShown = false;

  constructor(terminal: Terminal, clock: Clock, unit: Progress['unit'] = 'rows') {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#unit = unit;
  }

  update(done: number, total: number): void {
    if (!this.#terminal.errIsTerminal) return;
    const now = this.#clock.monotonic();
    this.#startedAt ??= now;
    if (now - this.#drawnAt < redrawEveryMs) return;
    this.#drawnAt = now;
    this.#isShown = true;
    const progress = { done, total, elapsedMs: now - this.#startedAt, unit: this.#unit };
    this.#terminal.err(clearLine + progressLine(progress, this.#terminal.columns));
  }

  /** Takes the bar away, so that what follows stands on a line of its own. */
  clear(): void {
    if (this.#isShown) this.#terminal.err(clearLine);
    this.#isShown = false;
  }
}
