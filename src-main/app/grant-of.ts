import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { NetworkGrant } from '../executor/upstream/broker.ts';

type Granted = {
  readonly id: string;
  readonly classes: readonly AddressClass[];
  /** True if no data folder keeps the workflow, so that no grant can be stored for it. */
  readonly isByFlagOnly?: boolean;
};

/**
 * What all workflows of a run were granted: those that are called run in the same worker as the one that calls, and
 * its word about which of them asks is not taken.
 * @param called those that it calls, directly or not
 */
export function grantOf(
  { id, classes, isByFlagOnly = false }: Granted,
  called: readonly Granted[],
): NetworkGrant {
  const lacking = (name: AddressClass) => called.find((other) => !other.classes.includes(name))?.id;
  return {
    workflowId: id,
    isByFlagOnly,
    classes: classes.filter((name) => lacking(name) === undefined),
    lackedBelow: (name) => (classes.includes(name) ? lacking(name) : undefined),
  };
}
