/** The header that carries the key: the interface's neutral name; a setting adds the deployed service's own. */
export const keyHeader = 'x-service-key';
/** The header by which the app repeats a call in the name of its key, which nobody but its owner has: with a pass. */
export const replayHeader = 'x-rowbench-replay';
