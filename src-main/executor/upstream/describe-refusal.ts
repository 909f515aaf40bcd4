import type { AddressClass, FoundClass } from '../../domain/upstream/address-class.ts';
import type { NetworkGrant } from './broker.ts';
import { RefusedAddress } from './refused-address.ts';

/** What a person is told about an address that was not granted, and how to grant it; undefined for other errors. */
export function describeRefusal(error: unknown, { lacks }: NetworkGrant): string | undefined {
  if (!(error instanceof RefusedAddress)) return undefined;
  const { host, address, found } = error;
  const place = host === address ? host : `${host} (${address})`;
  if (found === 'own' || found === 'metadata' || found === 'reserved')
    return `is refused: ${place} ${neverCalled[found]}`;
  return (
    `is refused: ${place} is ${wordsOf[found]}, which ${lacks(found)} was not granted. ` +
    `If it may call there: "rowbench grants allow ${lacks(found)} ${found}", or --allow-network ${found} for "rowbench run"`
  );
}

const wordsOf: Readonly<Record<AddressClass, string>> = {
  public: 'on the internet (class public)',
  lan: 'in the local network (class lan)',
  loopback: 'this machine itself (class loopback)',
};

const neverCalled: Readonly<Record<Exclude<FoundClass, AddressClass> | 'own', string>> = {
  own: 'is Rowbench itself, which workflows never call',
  metadata: "gives out a machine's own credentials, which workflows never get",
  reserved: 'is no address that anybody can be called at',
};
