import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyAddress,
  isMetadataName,
  type FoundClass,
} from '../../../../src-main/domain/upstream/address-class.ts';

const ofClass: Readonly<Record<FoundClass, readonly string[]>> = {
  loopback: [
    '127.0.0.1',
    '127.0.0.0',
    '127.255.255.255',
    '0.0.0.0',
    '::1',
    '::',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0.0.0.0',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '::7f00:2',
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2002:7f00:1:1::5',
    '::1%lo',
  ],
  lan: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '169.254.0.1',
    '169.254.169.253',
    '198.18.0.1',
    '198.19.255.255',
    'fc00::1',
    'fdff:ffff::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    '::ffff:192.168.1.1',
    '64:ff9b::10.0.0.1',
    '2002:a00:1::',
  ],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'FD00:0EC2:0:0::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    '::169.254.169.254',
  ],
  reserved: [
    '0.0.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '100::1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    'e000::1',
    '::ffff:224.0.0.1',
    '2002:e000:1::',
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '127.0.0.1.',
    '256.0.0.1',
    '::1::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::ffff:127.0.0.256',
    ':::1',
    '12345::',
  ],
  public: [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:200::1',
    '2003::1',
    '3ffe::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ],
};

describe.each(Object.entries(ofClass))('%s', (found, addresses) => {
  it.each(addresses)('%s', (address) => {
    expect(classifyAddress(address)).toBe(found);
  });
});

it('an IPv4 address has the same class however IPv6 wraps it', () => {
  const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
  fc.assert(
    fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
      const plain = classifyAddress(`${a}.${b}.${c}.${d}`);
      const groups = `${hex(a, b)}:${hex(c, d)}`;
      expect(classifyAddress(`::ffff:${groups}`)).toBe(plain);
      expect(classifyAddress(`::ffff:${a}.${b}.${c}.${d}`)).toBe(plain);
      expect(classifyAddress(`64:ff9b::${groups}`)).toBe(plain);
      expect(classifyAddress(`2002:${groups}::9`)).toBe(plain);
    }),
    { numRuns: 3000 },
  );
});

it.each(['metadata.google.internal', 'METADATA.google.internal.', 'instance-data', 'metadata'])(
  '%s is a name of metadata',
  (name) => expect(isMetadataName(name)).toBe(true),
);

it('other names are not', () => {
  expect(isMetadataName('metadata.example.com')).toBe(false);
});
