/** Maximum attempts of one node, or of one item of its `each`. Apart from `node-keys.ts`, whose schemas no worker needs. */
export const maxAttempts = 20;

/** Maximum calls of one node with `repeat`, or of one of its items; and how many it makes unless it says otherwise. */
export const maxRepeatedCalls = 1000;
export const usualRepeatedCalls = 100;

/** Maximum items of one node that are in flight at once. */
export const maxConcurrentItems = 100;
