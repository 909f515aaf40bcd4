/** The parts of a URL that decide; `port` is empty for the scheme's own. */
export type UrlOrigin = { readonly protocol: string; readonly hostname: string; readonly port: string };

/** Host bindings of a secret that allow the URL. A host without a port allows https alone; http needs the port. */
export function bindingsThatAllow({ protocol, hostname, port }: UrlOrigin): readonly string[] {
  if (protocol === 'https:') return port === '' ? [hostname, `${hostname}:443`] : [`${hostname}:${port}`];
  // The port of https, when called without it, is a mistake.
  return port === '443' ? [] : [`${hostname}:${port || '80'}`];
}
