// Users grant networks to a workflow by class of address, never by name: a name can mean another address a moment
// later. Who calls: the broker, for the very address that it connects to.
// INVARIANT: an address that is not understood is refused, and a wrapped one has the class of what it wraps.

/** Networks that a user can grant: the internet, the local network, this machine. */
export const addressClasses = ['public', 'lan', 'loopback'] as const;
export type AddressClass = (typeof addressClasses)[number];

/** A network that a workflow was not granted, and that a call of it needs. */
export type MissingGrant = { readonly workflowId: string; readonly network: AddressClass };

/** `metadata`: gives a cloud machine's credentials to any program on it. `reserved`: belongs to no host to call. */
export type FoundClass = AddressClass | 'metadata' | 'reserved';

/** @param address as text, without brackets */
export function classifyAddress(address: string): FoundClass {
  const bytes = parseIpv4(address);
  if (bytes !== undefined) return classOfIpv4(bytes);
  const groups = parseIpv6(address);
  return groups === undefined ? 'reserved' : classOfIpv6(groups);
}

/** One text for all ways to write the same address; one that wraps an IPv4 address is that address. */
export function canonicalAddress(address: string): string {
  const groups = parseIpv6(address);
  if (groups === undefined) return address;
  return unwrapped(groups)?.join('.') ?? groups.map((group) => group.toString(16)).join(':');
}

/**
 * One text for all ways to write the address of a peer. Of IPv6 addresses that wrap an IPv4 one only the mapped form is
 * the same host; any other is a host of its own.
 */
export function peerAddress(address: string): string {
  const groups = parseIpv6(address);
  if (groups === undefined) return address;
  const isMapped = isWithin(groups, [0, 0, 0, 0, 0, 0xffff], { bits: 96, width: 16 });
  return (isMapped && unwrapped(groups)?.join('.')) || groups.map((group) => group.toString(16)).join(':');
}

/** True for 127.0.0.0/8 and ::1. Not for a wildcard, which is every address. */
export function isLoopbackAddress(address: string): boolean {
  const peer = peerAddress(address);
  return parseIpv4(peer)?.[0] === 127 || peer === '0:0:0:0:0:0:0:1';
}

/** Names by which clouds offer their metadata. Their addresses are refused too; a proxy's name server may hide those. */
const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

export const isMetadataName = (host: string): boolean =>
  metadataNames.has(host.toLowerCase().replace(/\.$/, ''));

/** Amazon (machines, containers), Alibaba, Azure and Oracle. */
const metadataIpv4: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

type Network = readonly [first: readonly number[], bits: number, found: FoundClass];

/** The first that fits counts; what fits none is public. */
const ipv4Networks: readonly Network[] = [
  // Connecting to "no address" reaches this machine on most systems.
  [[0, 0, 0, 0], 32, 'loopback'],
  [[0, 0, 0, 0], 8, 'reserved'],
  [[127, 0, 0, 0], 8, 'loopback'],
  [[10, 0, 0, 0], 8, 'lan'],
  [[100, 64, 0, 0], 10, 'lan'],
  [[169, 254, 0, 0], 16, 'lan'],
  [[172, 16, 0, 0], 12, 'lan'],
  [[192, 168, 0, 0], 16, 'lan'],
  // For measuring networks; some private networks are made of it.
  [[198, 18, 0, 0], 15, 'lan'],
  [[192, 0, 0, 0], 24, 'reserved'],
  [[192, 0, 2, 0], 24, 'reserved'],
  [[192, 88, 99, 0], 24, 'reserved'],
  [[198, 51, 100, 0], 24, 'reserved'],
  [[203, 0, 113, 0], 24, 'reserved'],
  // Multicast, then everything up to broadcast.
  [[224, 0, 0, 0], 4, 'reserved'],
  [[240, 0, 0, 0], 4, 'reserved'],
];

function classOfIpv4(bytes: readonly number[]): FoundClass {
  if (metadataIpv4.has(bytes.join('.'))) return 'metadata';
  return ipv4Networks.find(([first, bits]) => isWithin(bytes, first, { bits, width: 8 }))?.[2] ?? 'public';
}

/** Amazon's machines and containers, Google's machines. */
const metadataIpv6: readonly (readonly number[])[] = [
  [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254],
  [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23],
  [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254],
];

/** Ways to write an IPv4 address as an IPv6 one: the prefix, and the group that the address begins at. */
const wrappings: readonly (readonly [first: readonly number[], bits: number, at: number])[] = [
  // Mapped, translated, NAT64, 6to4, and compatible (which `::` and `::1` only look like).
  [[0, 0, 0, 0, 0, 0xffff], 96, 6],
  [[0, 0, 0, 0, 0xffff, 0], 96, 6],
  [[0x64, 0xff9b, 0, 0, 0, 0], 96, 6],
  [[0x2002], 16, 1],
  [[0, 0, 0, 0, 0, 0], 96, 6],
];

/** The first that fits counts; what fits none is reserved: only 2000::/3 has been given out. */
const ipv6Networks: readonly Network[] = [
  [[0xfc00], 7, 'lan'],
  [[0xfe80], 10, 'lan'],
  [[0xfec0], 10, 'lan'],
  // Protocols of their own (Teredo among them), documentation.
  [[0x2001, 0], 23, 'reserved'],
  [[0x2001, 0xdb8], 32, 'reserved'],
  [[0x3fff, 0], 20, 'reserved'],
  [[0x2000], 3, 'public'],
];

function classOfIpv6(groups: readonly number[]): FoundClass {
  const isSmall = groups.slice(0, 7).every((group) => group === 0);
  if (isSmall && (groups[7] ?? 0) <= 1) return 'loopback';
  if (metadataIpv6.some((address) => address.every((group, index) => group === groups[index])))
    return 'metadata';
  const inside = unwrapped(groups);
  if (inside !== undefined) return classOfIpv4(inside);
  return (
    ipv6Networks.find(([first, bits]) => isWithin(groups, first, { bits, width: 16 }))?.[2] ?? 'reserved'
  );
}

/** The bytes of the IPv4 address that an IPv6 address is another form of. */
function unwrapped(groups: readonly number[]): readonly number[] | undefined {
  const wrapping = wrappings.find(([first, bits]) => isWithin(groups, first, { bits, width: 16 }));
  if (wrapping === undefined) return undefined;
  const [, , at] = wrapping;
  return [groups[at] ?? 0, groups[at + 1] ?? 0].flatMap((group) => [group >> 8, group & 0xff]);
}

/** True if the first `bits` bits are those of `first`, with numbers of `width` bits each. */
function isWithin(
  address: readonly number[],
  first: readonly number[],
  { bits, width }: { bits: number; width: number },
): boolean {
  return address.every((part, index) => {
    const ignored = Math.min(width, Math.max(0, (index + 1) * width - bits));
    return part >> ignored === (first[index] ?? 0) >> ignored;
  });
}

// Text of an IP address into numbers, without Node: the rules on top of it are pure.

/** Four bytes, or undefined for anything but four decimal numbers. */
export function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/** Eight groups of 16 bits, or undefined. A zone (`%eth0`) says nothing about the address and is left out. */
export function parseIpv6(text: string): readonly number[] | undefined {
  const [address = ''] = text.split('%', 1);
  const halves = withoutDots(address)?.split('::');
  if (halves === undefined || halves.length > 2) return undefined;
  const [start, end] = halves.map(groupsOf);
  if (start === undefined || (halves.length === 2 && end === undefined)) return undefined;
  if (end === undefined) return start.length === 8 ? start : undefined;
  const missing = 8 - start.length - end.length;
  return missing < 1 ? undefined : [...start, ...new Array<number>(missing).fill(0), ...end];
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function withoutDots(address: string): string | undefined {
  if (!address.includes('.')) return address;
  const at = address.lastIndexOf(':');
  const [a = 0, b = 0, c = 0, d = 0] = parseIpv4(address.slice(at + 1)) ?? [NaN];
  if (Number.isNaN(a)) return undefined;
  return `${address.slice(0, at + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function groupsOf(text: string): number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : undefined;
}
