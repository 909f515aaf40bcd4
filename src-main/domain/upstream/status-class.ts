/** Classes of error statuses, as workflow files name them. */
export const statusClasses = ['4xx', '5xx'] as const;

/** A status such as 404, or a class of them. */
export type StatusMatch = number | (typeof statusClasses)[number];

/** True if the list has the status or its class. */
export const matchesStatus = (matches: readonly (number | string)[], status: number): boolean =>
  matches.includes(status) || matches.includes(`${Math.floor(status / 100)}xx`);
