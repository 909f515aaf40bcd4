/**
 * The origin of an address that a server answers; undefined for any other text. A `blob:` address does not have the
 * origin of the page that made the blob: a document at such an address is what a script wrote, not what the server sent.
 */
export function answeredOrigin(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : undefined;
}

/** The origin of the page that made the blob at a `blob:` address; undefined for any other text. */
export const blobMakerOf = (address: string): string | undefined =>
  address.startsWith('blob:') ? answeredOrigin(address.slice('blob:'.length)) : undefined;
