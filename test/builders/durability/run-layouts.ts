/** How small runs are kept, with the option of a data folder that makes it so. */
export const layouts = [
  { layout: 'in one file', mostCompactBytes: undefined },
  { layout: 'in folders', mostCompactBytes: 0 },
] as const;

export type Layout = (typeof layouts)[number];
