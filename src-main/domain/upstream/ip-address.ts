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
