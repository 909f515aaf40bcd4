// Better and worse: users say of a field whether a higher or a lower number is better.
import type { JsonValue } from '../../base/json-value.ts';

/** A field of the output whose number is better when it is higher, or lower. */
export type Direction = { readonly name: string; readonly better: 'higher' | 'lower' };

type ChangedValue = { readonly name: string; readonly before?: JsonValue; readonly after?: JsonValue };

export const trendNames = ['worse', 'better', 'neither'] as const;
/** How a changed row moved. `neither`: no field with a direction has another number. */
export type Trend = (typeof trendNames)[number];

/**
 * By how much a changed row became better; negative: worse. One field that became worse makes its row worse; of several, the
 * largest loss counts, else the largest gain. 0: no field with a direction has another number.
 */
export function gainOf(fields: readonly ChangedValue[], directions: readonly Direction[]): number {
  const gains: number[] = [];
  for (const { name, better } of directions) {
    const { before, after } = fields.find((field) => field.name === name) ?? {};
    if (typeof before === 'number' && typeof after === 'number')
      gains.push(better === 'higher' ? after - before : before - after);
  }
  const worst = Math.min(0, ...gains);
  return worst < 0 ? worst : Math.max(0, ...gains);
}

export function trendOf(gain: number): Trend {
  if (gain === 0) return 'neither';
  return gain < 0 ? 'worse' : 'better';
}
