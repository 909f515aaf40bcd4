import type { AddressClass } from '../../domain/upstream/address-class.ts';

/** Address classes that the workflows of a run may all reach. */
export type NetworkGrant = {
  readonly workflowId: string;
  readonly classes: readonly AddressClass[];
  /** Id of a called workflow that lacks the class, where the caller has it. */
  readonly lackedBelow?: (name: AddressClass) => string | undefined;
  /** The workflow is a file that no data folder keeps: only a command's `--allow-network` can grant it more. */
  readonly isByFlagOnly?: boolean;
};
