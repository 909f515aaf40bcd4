import type { AddressClass } from '../../domain/upstream/address-class.ts';

/** Address classes that the workflows of a run may all reach. */
export type NetworkGrant = {
  readonly workflowId: string;
  readonly classes: readonly AddressClass[];
  /** Returns the id of a called workflow that lacks a class which its caller has. */
  readonly lackedBelow?: (name: AddressClass) => string | undefined;
  /** True if the workflow is in no data folder: then only `--allow-network` of a command can grant it more. */
  readonly isByFlagOnly?: boolean;
};
