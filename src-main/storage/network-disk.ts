import { statfs } from 'node:fs/promises';

/** Types of file systems that other machines share, as Linux numbers them (statfs(2)). */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** The name of a network file system by its number; undefined for any other. */
export const networkDiskOf = (type: number): string | undefined => networkTypes.get(type >>> 0);

/**
 * The name of the network file system that a folder is on: SQLite's write-ahead log needs memory that all processes
 * share, which only one machine has. Undefined for a local disk, and on systems that do not tell.
 */
export async function findNetworkDisk(folder: string): Promise<string | undefined> {
  return process.platform === 'linux' ? networkDiskOf((await statfs(folder)).type) : undefined;
}
