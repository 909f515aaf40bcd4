// Indentation of a new line: below a key that has no value yet two more, in a list the column of the item's keys.

/** @param before text of the line before the caret */
export function yamlIndent(before: string): number {
  const [, blanks = '', dashes = '', rest = ''] = /^(\s*)((?:- +)*)(.*)$/.exec(before) ?? [];
  const column = blanks.length + dashes.length;
  return /(^|[^\s:]):\s*([|>][-+\d]*\s*)?(\s#.*)?$/.test(rest) ? column + 2 : column;
}
