/** `250 ms`, `5 s`, `1.5 s`, as messages say it. */
export const describeDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
