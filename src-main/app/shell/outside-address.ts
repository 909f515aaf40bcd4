const schemes: ReadonlySet<string> = new Set(['https:', 'mailto:']);
const longest = 2000;

/** The address as it would be opened; undefined for one that never is. */
export function outsideAddress(text: string): string | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '';
  return schemes.has(url.protocol) && isPlain ? url.href : undefined;
}
