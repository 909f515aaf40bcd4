// The sums of a run's statistics, as the last line of what each commit adds to the trace file: whoever looks reads
// the end of the file, and a run that goes on adds to the sums of its last commit.
import { z } from 'zod';
import { newline } from '../../domain/rows/line-bytes.ts';
import { nodeStatisticsSchema, type NodeStatistics } from '../../domain/run/node-statistics.ts';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';

const statisticsSchema = z.object({
  /** Number of the last row that is counted. */
  upTo: z.number().int().nonnegative(),
  /** Rows that are counted: fewer than `upTo` when the first ones ran before there were statistics. */
  rows: z.number().int().nonnegative(),
  nodes: z.array(nodeStatisticsSchema),
});
export type RunStatistics = Omit<z.infer<typeof statisticsSchema>, 'nodes'> & {
  readonly nodes: readonly NodeStatistics[];
};

export const noStatistics: RunStatistics = { upTo: 0, rows: 0, nodes: [] };

export const statisticsLine = (statistics: RunStatistics): Uint8Array =>
  Buffer.from(`${JSON.stringify(statistics)}\n`);

/** Longer than the line of most workflows; it is read in larger pieces until a whole line is there. */
const firstPiece = 16 * 1024;

/** As of the commit that ends there; undefined where an older version wrote no statistics, or they are damaged. */
export async function readStatistics(
  trace: OpenFile,
  traceBytes: number,
): Promise<RunStatistics | undefined> {
  for (let wanted = firstPiece; traceBytes > 0; wanted *= 4) {
    const from = Math.max(0, traceBytes - wanted);
    const bytes = Buffer.allocUnsafe(traceBytes - from);
    const end = await readBytes(trace, bytes, from);
    const start = bytes.lastIndexOf(newline, end - 2) + 1;
    if (start === 0 && from > 0) continue;
    return parsed(bytes.toString('utf8', start, end));
  }
  return undefined;
}

function parsed(line: string): RunStatistics | undefined {
  if (!line.startsWith('{"upTo":')) return undefined;
  try {
    return statisticsSchema.parse(JSON.parse(line));
  } catch {
    // Outputs are worth more than their statistics: the run goes on, and is counted from here.
    return undefined;
  }
}
