import type { AddressClass, FoundClass, MissingGrant } from '../../domain/upstream/address-class.ts';
import { networkMissing } from '../../domain/upstream/call-needs.ts';
import { CallRefusal } from './call-error.ts';

type Refusal = { readonly message: string; readonly missingGrant?: MissingGrant };

/** The message for a user about a refused address, and how to grant it if possible; undefined for other errors. */
export function describeRefusal(
  error: unknown,
  { workflowId, lackedBelow, isByFlagOnly }: NetworkGrant,
): Refusal | undefined {
  if (!(error instanceof RefusedAddress)) return undefined;
  const { host, address, found } = error;
  const target = host === address ? host : `${host} (${address})`;
  if (found === 'own' || found === 'metadata' || found === 'reserved')
    return { message: `is refused: ${target} ${neverCalled[found]}` };
  const missingGrant = { workflowId: lackedBelow?.(found) ?? workflowId, network: found };
  // Only a command can grant a network to a workflow that is in no data folder.
  const advice =
    isByFlagOnly === true
      ? `. If it may call there: run the command again with "--allow-network ${found}"`
      : '';
  return { message: `${networkMissing(target, missingGrant)}${advice}`, missingGrant };
}

const neverCalled: Readonly<Record<Exclude<FoundClass, AddressClass> | 'own', string>> = {
  own: 'is Rowbench itself, which workflows never call',
  metadata: "gives out a machine's own credentials, which workflows never get",
  reserved: 'is no address that anybody can be called at',
};

/** The address is of a class that the workflow was not granted, or that no workflow can be granted. */
export class RefusedAddress extends CallRefusal {
  readonly host: string;
  readonly address: string;
  /** Class of the address; `own` is Rowbench itself. */
  readonly found: FoundClass | 'own';

  constructor(host: string, address: string, found: FoundClass | 'own') {
    super(`is refused: ${host} (${found})`);
    this.host = host;
    this.address = address;
    this.found = found;
  }
}

/** Address classes that the workflows of a run may all reach. */
export type NetworkGrant = {
  readonly workflowId: string;
  readonly classes: readonly AddressClass[];
  /** Returns the id of a called workflow that lacks a class which its caller has. */
  readonly lackedBelow?: (name: AddressClass) => string | undefined;
  /** True if the workflow is in no data folder: then only `--allow-network` of a command can grant it more. */
  readonly isByFlagOnly?: boolean;
};
