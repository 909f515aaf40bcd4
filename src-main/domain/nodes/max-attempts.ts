/** Maximum attempts of one node, or of one item of its `each`. Apart from `node-keys.ts`, whose schemas no worker needs. */
export const maxAttempts = 20;
