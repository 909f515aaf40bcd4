/** Processor time of this process for the work, in ms: a machine that lets it wait does not count. */
export function computingMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/**
 * How many times as much processor time the work takes for 10,000 units as for 2,500: about 4 if its time grows with the
 * number, 16 if with its square. The first use of the code is not counted.
 */
export function cpuRatio(work: (units: number) => void): number {
  const cpuMs = (units: number): number => computingMs(() => work(units));
  cpuMs(2_500);
  // The lowest of several: a collection of garbage in one of them is as long as the work for the smaller number.
  const minMs = (units: number): number => Math.min(...Array.from({ length: 4 }, () => cpuMs(units)));
  const small = minMs(2_500);
  return minMs(10_000) / small;
}
