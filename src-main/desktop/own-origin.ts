/** The origin of an address; undefined for a text that is none, and for one without an origin of its own. */
export function originOf(address: string): string | undefined {
  // A blob's origin is that of the page that made it.
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin === 'null' ? undefined : origin;
}
