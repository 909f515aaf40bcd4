// The proxy that the environment names for a call, by the variables that most programs read.

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for calls to a URL; undefined: none. A variable that is no http or https URL counts as unset. */
export function proxyOf({ protocol, hostname, port: written }: URL, env: Environment): URL | undefined {
  const isSecure = protocol === 'https:';
  const port = Number(written) || (isSecure ? 443 : 80);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isExcepted({ host, port }, read(env, 'no_proxy') ?? '')) return undefined;
  return proxyUrl(read(env, isSecure ? 'https_proxy' : 'http_proxy') ?? read(env, 'all_proxy') ?? '');
}

function proxyUrl(named: string): URL | undefined {
  const text = named.includes('://') ? named : `http://${named}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  return proxy !== undefined && /^https?:$/.test(proxy.protocol) ? proxy : undefined;
}

/** In lower case first, as curl has it. */
const read = (env: Environment, name: string): string | undefined => env[name] ?? env[name.toUpperCase()];

/** True if NO_PROXY lists the host: its name, a domain above it, an address, each with or without a port, or `*`. */
function isExcepted({ host, port }: { readonly host: string; readonly port: number }, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      // An IPv6 address has colons of its own: with a port it stands in brackets.
      const [, inBrackets, name = inBrackets ?? entry, ownPort] =
        /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      if (ownPort !== undefined && Number(ownPort) !== port) return false;
      const domain = name.toLowerCase().replace(/^\*?\./, '');
      return host === domain || host.endsWith(`.${domain}`);
    });
}
