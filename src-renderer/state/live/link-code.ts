// A link into the app ends in a one-time code. It may be pasted whole, or its code alone.

const code = /^[\w-]{20,100}$/;

export type LinkReading = { readonly code: string } | { readonly problem: string };

/** The code in an address's fragment. */
export const codeOfFragment = (fragment: string): string | undefined =>
  /^#code=([\w-]{1,100})$/.exec(fragment)?.[1];

/** @param here the address of the page, which can go on with a code of its own server alone */
export function readLink(pasted: string, here: string): LinkReading {
  const text = pasted.trim();
  if (code.test(text)) return { code: text };
  if (!URL.canParse(text)) return { problem: 'This is no link. Paste what the command printed' };
  const link = new URL(text);
  const found = codeOfFragment(link.hash);
  if (found === undefined) return { problem: 'This link has no code in it. Paste what the command printed' };
  // The server has several names on this machine; its port tells it from others.
  const { port } = new URL(here);
  return link.port === port
    ? { code: found }
    : { problem: `This link opens another server, at port ${link.port}; this page is of port ${port}` };
}

/** @param dataDir undefined where the page does not know it */
export const openCommand = (dataDir: string | undefined): string =>
  dataDir === undefined ? 'rowbench open' : `rowbench open --data "${dataDir}"`;
