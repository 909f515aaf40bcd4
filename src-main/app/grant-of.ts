import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { NetworkGrant } from '../executor/upstream/network-grant.ts';

type Granted = {
  readonly id: string;
  /** Asked at each call, so that a change reaches runs under way. */
  readonly classes: () => readonly AddressClass[];
  /** True if no data folder keeps the workflow, so that no grant can be stored for it. */
  readonly isByFlagOnly?: boolean;
};

/**
 * The network classes granted to every workflow of a run. Called workflows run in the caller's worker, and the broker
 * does not believe that worker which of them makes a call.
 * @param called workflows that the run's workflow calls, directly or not
 */
export function grantOf(
  { id, classes, isByFlagOnly = false }: Granted,
  called: readonly Granted[],
): NetworkGrant {
  const lacking = (name: AddressClass) => called.find((other) => !other.classes().includes(name))?.id;
  return {
    workflowId: id,
    isByFlagOnly,
    get classes() {
      return classes().filter((name) => lacking(name) === undefined);
    },
    lackedBelow: (name) => (classes().includes(name) ? lacking(name) : undefined),
  };
}
