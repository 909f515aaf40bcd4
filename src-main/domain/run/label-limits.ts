// Limits of a run's labels, apart from their schema: the app's pages load no schema library.

/** Maximum characters of each text, and maximum number of tags. */
export const labelLimits = { name: 200, note: 10_000, tag: 50, tags: 20 } as const;
