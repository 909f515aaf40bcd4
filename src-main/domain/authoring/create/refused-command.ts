/** A pasted command that no call can be made of. The message says why. */
export class RefusedCommand extends Error {}

/** Throws a RefusedCommand. */
export function refuseCommand(reason: string): never {
  throw new RefusedCommand(reason);
}
