import { networkInterfaces } from 'node:os';
import type { HostPort } from '../../domain/host-port.ts';

const wildcards = new Set(['0.0.0.0', '::']);

/** The addresses at which a listening server is reached: for a wildcard, all addresses of this machine. */
export function reachableAddresses({ host, port }: HostPort): readonly HostPort[] {
  if (!wildcards.has(host)) return [{ host, port }];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => ({ host: address, port }));
}
