import type { ForcedFault } from '../protocol.ts';
import { NodeError } from './node-error.ts';

/** Fails a node at once, because an earlier try of the row lost its worker at this node. */
export class ForcedError extends NodeError {
  readonly attempts: number;

  constructor(fault: ForcedFault) {
    super(fault.message);
    this.attempts = fault.attempts;
  }
}
