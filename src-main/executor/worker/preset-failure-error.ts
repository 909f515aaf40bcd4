import type { PresetFailure } from '../protocol.ts';
import { NodeError } from './node-error.ts';

/** Fails a node at once, because an earlier try of the row lost its worker at this node. */
export class PresetFailureError extends NodeError {
  override readonly attempts: number;

  constructor(failure: PresetFailure) {
    super(failure.message);
    this.attempts = failure.attempts;
  }
}
