// A link into the app ends in a one-time code. The user may paste the whole link or only its code.

const code = /^[\w-]{20,100}$/;

export type LinkReading = { readonly code: string } | { readonly problem: string };

/** The code in an address's fragment. */
export const codeOfFragment = (fragment: string): string | undefined =>
  /^#code=([\w-]{1,100})$/.exec(fragment)?.[1];

/** @param here the address of the page, which only accepts links of its own server */
export function readLink(pasted: string, here: string): LinkReading {
  const text = pasted.trim();
  if (code.test(text)) return { code: text };
  if (!URL.canParse(text)) return { problem: 'This is not a link. Paste the link that the command printed' };
  const link = new URL(text);
  const found = codeOfFragment(link.hash);
  if (found === undefined)
    return { problem: 'This link contains no code. Paste the link that the command printed' };
  // The server has several host names on this machine, so only the port identifies it.
  const { port } = new URL(here);
  return link.port === port
    ? { code: found }
    : { problem: `This link is for the server on port ${link.port}; this page uses port ${port}` };
}

/** @param dataDir undefined if the page does not know it */
export const openCommand = (dataDir: string | undefined): string =>
  dataDir === undefined ? 'rowbench open' : `rowbench open --data "${dataDir}"`;

/** Command that starts the server of this page again, without the options that it may have had besides. */
export const serveCommand = (dataDir: string, { port }: Pick<URL, 'port'>): string =>
  `rowbench serve --data "${dataDir}"${port === '' ? '' : ` --port ${port}`}`;
