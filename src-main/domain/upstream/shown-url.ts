const longest = 200;

/** A URL for a message or a log: without a user, a fragment, and the values of its query, which may be secret. */
export function shownUrl(url: string): string {
  const [beforeFragment = ''] = url.split('#', 1);
  const at = beforeFragment.indexOf('?');
  const base = (at < 0 ? beforeFragment : beforeFragment.slice(0, at)).replace(userPart, '$1');
  const names =
    at < 0
      ? []
      : beforeFragment
          .slice(at + 1)
          .split('&')
          .map(nameOnly);
  const shown = names.length === 0 ? base : `${base}?${names.join('&')}`;
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** `user:password@`, up to the last `@` before the path. */
const userPart = /^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i;

/** A part without `=` is a value by itself. */
const nameOnly = (part: string): string => {
  const end = part.indexOf('=');
  return end < 0 ? '…' : `${part.slice(0, end)}=…`;
};
