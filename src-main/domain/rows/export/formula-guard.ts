// The apostrophes that keep a spreadsheet from running text of an exported CSV file as a formula. Writers of CSV add
// them, readers of CSV remove exactly what a writer added.

/** Blanks, quotes, apostrophes and invisible characters, which a spreadsheet may skip before it looks for a formula. */
const skipped = String.raw`['"\s\p{Cc}\p{Cf}]`;
/** The same without the separators below, so that each character of a text is looked at once. */
const skippedInside = String.raw`(?![;\t\r\n])${skipped}`;
/** The characters that begin a formula, their full-width forms included. */
const formulaStart = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`;
/** A cell that is a number keeps its sign: `-5` is no formula. */
const plainNumber = String.raw`[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$`;

const startsFormula = new RegExp(
  String.raw`^(?!${plainNumber})(?:${skipped}*${formulaStart}|${skipped}*?[\t\r\n])`,
  'u',
);
/** A separator behind which a program that reads the file by semicolons, tabs or lines alone would find a formula. */
const formulaInside = new RegExp(String.raw`([;\t\r\n])(?=(?:${skippedInside})*${formulaStart})`, 'gu');
const guardInside = new RegExp(String.raw`([;\t\r\n])'(?=(?:${skippedInside})*${formulaStart})`, 'gu');

/** Most texts: a first character of ASCII that a spreadsheet neither skips nor takes for a formula, and no separator. */
const plainText = /^[!#-&(-*,./0-9:<>?A-Z[-~][^;\t\r\n]*$/;

/**
 * The text with an apostrophe in front, and one behind each separator that a formula follows, where a spreadsheet
 * would take any of it for a formula; any other text as it is.
 */
export function guardFormulas(text: string): string {
  if (plainText.test(text)) return text;
  const inside = text.replace(formulaInside, "$1'");
  return inside !== text || startsFormula.test(text) ? `'${inside}` : text;
}

/** The text that `guardFormulas` made this one of; a text that it cannot have made is returned unchanged. */
export function unguardFormulas(text: string): string {
  if (!text.startsWith("'")) return text;
  const bare = text.slice(1).replace(guardInside, '$1');
  return guardFormulas(bare) === text ? bare : text;
}
