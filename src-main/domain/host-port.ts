/** A host and a port. `host`: a name, or an address without brackets. */
export type HostPort = { readonly host: string; readonly port: number };
