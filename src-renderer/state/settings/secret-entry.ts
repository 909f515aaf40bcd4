// Checks a typed secret before its value is sent. The server checks it again.

type TypedSecret = { readonly name: string; readonly hosts: string; readonly value: string };

/** Hosts in a text, separated by commas, semicolons, spaces or line breaks. */
export const hostsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((host) => host !== ''),
  ),
];

/** The first reason why the secret cannot be stored; undefined if it is valid. */
export function secretProblem(
  { name, hosts, value }: TypedSecret,
  taken: readonly string[],
): string | undefined {
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name))
    return 'A name has capital letters, digits and “_”, 64 at most, and begins with a letter.';
  if (taken.includes(name)) return `There is a secret ${name} already: replace that one.`;
  if (hostsIn(hosts).length === 0) return 'Name at least one host that it may be sent to.';
  const withScheme = hostsIn(hosts).find((host) => host.includes('/'));
  if (withScheme !== undefined) return `Name hosts alone, without “https://” or a path: ${withScheme}`;
  const bare = hostsIn(hosts).find((host) => !/[.:]/.test(host) && host !== 'localhost');
  if (bare !== undefined)
    return `“${bare}” has no dot and no port. Type a host such as api.example.com, or ${bare}:8080.`;
  if (value.length < 8) return 'A value has 8 characters or more.';
  return undefined;
}
