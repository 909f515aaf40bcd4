// A host with a port, as options and documents name it.

/** `host`: a name, or an address without brackets. */
export type HostPort = { readonly host: string; readonly port: number };

/** As text, with brackets around an IPv6 address. */
export const formatHostPort = ({ host, port }: HostPort): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
