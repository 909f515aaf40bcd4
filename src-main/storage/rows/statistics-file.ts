// The sums of a run's statistics, in two files that are written in turn: whatever a crash does to the one that is
// being written, the other holds the sums as of the commit before. Neither grows with the run.
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { newline } from '../../domain/rows/line-bytes.ts';
import { nodeStatisticsSchema, type NodeStatistics } from '../../domain/run/node-statistics.ts';
import { paceSchema } from '../../domain/run/pace.ts';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';

const statisticsSchema = z.object({
  /** Position of the last row that is counted. */
  upTo: z.number().int().nonnegative(),
  /** Rows that are counted: fewer than `upTo` when the first ones ran before there were statistics. */
  rows: z.number().int().nonnegative(),
  nodes: z.array(nodeStatisticsSchema),
  /** Absent: the run began before paces were kept. */
  pace: paceSchema.exactOptional(),
});
export type RunStatistics = Omit<z.infer<typeof statisticsSchema>, 'nodes'> & {
  readonly nodes: readonly NodeStatistics[];
};

export const noStatistics: RunStatistics = { upTo: 0, rows: 0, nodes: [] };

/** @property place which of the two files has them */
export type PlacedStatistics = { readonly statistics: RunStatistics; readonly place: 0 | 1 };

/** What to write, and where, so that the sums that hold until then stay as they are. */
export function nextStatistics(
  statistics: RunStatistics,
  before: PlacedStatistics['place'],
): PlacedStatistics & { readonly bytes: Uint8Array } {
  const text = JSON.stringify(statistics);
  const bytes = Buffer.from(`${hex(crc32(text))} ${text}\n`);
  return { statistics, place: before === 0 ? 1 : 0, bytes };
}

/**
 * As of the commit with so many rows, else the newest before it, else later ones, which somebody sees who reads while
 * the run goes on. Undefined where there are none, or they are damaged.
 */
export async function readStatistics(
  files: readonly [OpenFile | undefined, OpenFile | undefined],
  rows: number,
): Promise<PlacedStatistics | undefined> {
  const found = [await readPlace(files[0], 0), await readPlace(files[1], 1)].filter(
    (one) => one !== undefined,
  );
  const distance = ({ statistics: { upTo } }: PlacedStatistics): number =>
    upTo <= rows ? rows - upTo : Number.MAX_SAFE_INTEGER;
  return found.sort((one, other) => distance(one) - distance(other))[0];
}

async function readPlace(
  file: OpenFile | undefined,
  place: PlacedStatistics['place'],
): Promise<PlacedStatistics | undefined> {
  if (file === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(await file.size());
  const read = bytes.subarray(0, await readBytes(file, bytes, 0));
  // What was there before may have been longer.
  const end = read.indexOf(newline);
  return end < 0 ? undefined : parsed(read.toString('utf8', 0, end), place);
}

function parsed(line: string, place: PlacedStatistics['place']): PlacedStatistics | undefined {
  const text = line.slice(crcLength + 1);
  if (line.slice(0, crcLength) !== hex(crc32(text))) return undefined;
  const statistics = statisticsSchema.safeParse(JSON.parse(text));
  return statistics.success ? { statistics: statistics.data, place } : undefined;
}

const crcLength = 8;
const hex = (crc: number): string => crc.toString(16).padStart(crcLength, '0');
