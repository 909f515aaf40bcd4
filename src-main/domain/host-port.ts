// A host with a port, as options and documents name it.

/** `host`: a name, or an address without brackets. */
export type HostPort = { readonly host: string; readonly port: number };

/** Reads `10.0.0.5:4170`, `[::1]:4170` or `db.internal:5432`; undefined for anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text.trim());
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

/** The same as text, with brackets around an IPv6 address. */
export const formatHostPort = ({ host, port }: HostPort): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
