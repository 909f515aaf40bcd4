/** The header that carries the key: the interface's neutral name; a setting adds the deployed service's own. */
export const keyHeader = 'x-service-key';
/**
 * Header of a call that the app repeats. Its value is a pass that stands for the key, which only the key's owner has.
 */
export const replayHeader = 'x-rowbench-replay';
