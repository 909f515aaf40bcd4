import type { ForcedFault } from '../protocol.ts';
import { NodeError } from './node-error.ts';

/** What an earlier try of the row did not survive. */
export class ForcedError extends NodeError {
  readonly attempts: number;

  constructor(fault: ForcedFault) {
    super(fault.message);
    this.attempts = fault.attempts;
  }
}
