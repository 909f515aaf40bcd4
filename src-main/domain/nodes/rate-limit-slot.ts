import { z } from 'zod';
import { refuse } from './slot-problems.ts';

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const rateLimitPattern = /^([1-9]\d{0,5})\/([smh])$/;

/** `5/s`, `100/m` or `1000/h`; becomes the time between the starts of two calls, in ms. */
export const rateLimitSlot = z
  .string()
  .transform((text, context): number => {
    const [, calls, unit] = rateLimitPattern.exec(text) ?? [];
    if (unit === undefined)
      return refuse(context, [{ message: 'Expected a rate such as 5/s, 100/m or 1000/h' }]);
    return unitMs[unit as keyof typeof unitMs] / Number(calls);
  })
  .meta({ pattern: rateLimitPattern.source })
  .describe(
    'Maximum rate of calls to one host, such as `5/s`, `100/m` or `1000/h`: calls begin at even intervals, counted over all runs of this server or team. A wait for it does not count as `timeout`.',
  );
