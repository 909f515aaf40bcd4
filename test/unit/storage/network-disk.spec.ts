import { expect, it } from 'vitest';
import { networkDiskOf } from '../../../src-main/storage/data-folder.ts';

it.each([
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB'],
  // As a signed number, which some systems give.
  [0xfe534d42 | 0, 'SMB'],
  [0xff534d42, 'CIFS'],
])('the type %d is the network file system %s', (type, name) => {
  expect(networkDiskOf(type)).toBe(name);
});

it.each([
  ['ext4', 0xef53],
  ['btrfs', 0x9123683e],
  ['tmpfs', 0x01021994],
])('%s is no network file system', (_name, type) => {
  expect(networkDiskOf(type)).toBeUndefined();
});
