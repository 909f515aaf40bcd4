/** Maximum attempts of one node, or of one item of its `each`. Apart from `node-keys.ts`, whose schemas no worker needs. */
export const maxAttempts = 20;

/** Maximum items of one node that are in flight at once. */
export const maxConcurrentItems = 100;
