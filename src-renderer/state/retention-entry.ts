/** Finished runs are kept up to so many, and so many days. */
export type Bounds = { readonly runs: number; readonly days: number };

/** Bounds of retention as they were typed; undefined where either is no whole number from 1 on. */
export function boundsOf(typed: { readonly runs: string; readonly days: string }): Bounds | undefined {
  const runs = wholeIn(typed.runs);
  const days = wholeIn(typed.days);
  return runs === undefined || days === undefined ? undefined : { runs, days };
}

export const isSameBounds = (some: Bounds | undefined, { runs, days }: Bounds): boolean =>
  some?.runs === runs && some.days === days;

/** `1000`, `1,000` and `1 000`; nine digits are more than anybody keeps. */
const wholeIn = (text: string): number | undefined => {
  const digits = text.trim().replaceAll(/[ ,\u202f\u00a0]/g, '');
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
};
