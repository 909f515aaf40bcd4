import { duration } from './duration.ts';

/** `40 µs`, `2.3 ms`, `212 ms`, then as `duration` has it: for what nodes take. */
export function fineDuration(ms: number): string {
  if (ms < 0.9995) return `${Math.max(0, Math.round(ms * 1000))} µs`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : duration(ms);
}
