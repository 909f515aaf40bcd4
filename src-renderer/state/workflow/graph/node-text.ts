// The text of a node as it goes to the clipboard: its lines with the comments right above, as an item of a list.

type Lines = { readonly first: number; readonly last: number };

/** @param lines of the node in the text, from 1, the last included */
export function nodeText(text: string, { first, last }: Lines): string {
  const all = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const column = (all[first - 1] ?? '').search(/\S/);
  let from = first - 1;
  while (from > 0 && new RegExp(`^ {${column}}#`).test(all[from - 1] ?? '')) from -= 1;
  const lines = all
    .slice(from, last)
    .map((line) => (line.slice(0, column).trim() === '' ? line.slice(column) : line));
  if (lines[first - 1 - from]?.startsWith('-') === true) return `${lines.join('\n')}\n`;
  // An item in brackets.
  return `- ${lines.join('\n  ').replace(/,\s*$/, '')}\n`;
}
