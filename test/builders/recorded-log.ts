import type { Log } from '../../src-main/base/log.ts';

/** A log that keeps its warnings and errors. */
export function recordedLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const keep = (_fields: unknown, message: string): void => void lines.push(message);
  return { log: { debug() {}, info() {}, warn: keep, error: keep }, lines };
}
