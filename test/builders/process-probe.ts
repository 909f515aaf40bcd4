// Figures that a server process counts about itself: see `probeReport` of `startServerProcess`.
import { readFile, rm } from 'node:fs/promises';
import { vi } from 'vitest';
import type { ServerProcess } from './server-process.ts';

export type ProbeReport = {
  readonly eventLoopDelayP99Ms: number;
  readonly eventLoopDelayMaxMs: number;
  readonly peakMemoryMb: number;
  /** Full garbage collections of the main thread since the start. */
  readonly fullCollections: number;
  /** Programs that the main thread started, each as its script or name. */
  readonly forked: readonly string[];
};

/** Asks the process for its figures up to now. @param file its `probeReport` */
export async function readProbe({ pid }: ServerProcess, file: string): Promise<ProbeReport> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const read = async (): Promise<ProbeReport> => JSON.parse(await readFile(file, 'utf8')) as ProbeReport;
  return vi.waitFor(read, { timeout: 5000, interval: 5 });
}
