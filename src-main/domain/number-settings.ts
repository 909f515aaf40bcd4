/** Smallest and largest values of the settings that are whole numbers, and their defaults. */
export const numberSettings = {
  /** Largest request body, in bytes. 1 GB holds 1,000,000 rows at about 1 KB each. */
  maxBodyBytes: { min: 1024, max: 100_000_000_000, initial: 1_000_000_000 },
  /** Maximum rows per run. */
  maxRows: { min: 1, max: 100_000_000, initial: 1_000_000 },
  /** Runs that execute at the same time; the others wait in the queue. */
  runsAtOnce: { min: 1, max: 64, initial: 8 },
  /** CPU time, in ms, that one attempt of a node may take on one row before its worker is killed. */
  rowTimeLimitMs: { min: 100, max: 3_600_000, initial: 5000 },
  /** Heap of one row worker, in MB. */
  workerMemoryMb: { min: 64, max: 4096, initial: 256 },
} as const;

export type NumberSetting = keyof typeof numberSettings;
