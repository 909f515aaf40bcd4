/** `0 ms`, `340 ms`, `1.2 s`, `3 m 04 s`, `2 h 05 m`, `3 d 04 h`. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < 1000) return `${Math.round(whole)} ms`;
  if (whole < 59_950) return `${(whole / 1000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 3600) return pair([Math.floor(seconds / 60), 'm'], [seconds % 60, 's']);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 24 * 60) return pair([Math.floor(minutes / 60), 'h'], [minutes % 60, 'm']);
  const hours = Math.floor(minutes / 60);
  return pair([Math.floor(hours / 24), 'd'], [hours % 24, 'h']);
}

type Part = readonly [amount: number, unit: string];

const pair = ([large, largeUnit]: Part, [small, smallUnit]: Part): string =>
  `${large} ${largeUnit} ${String(small).padStart(2, '0')} ${smallUnit}`;
