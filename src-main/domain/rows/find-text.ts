/** A test for lines of JSON: true if a name or a value contains the text, in upper or lower case. */
export function textFinder(text: string): (lines: string) => boolean {
  const target = inJson(text).toLowerCase();
  const found = (lines: string): boolean => lines.toLowerCase().includes(target);
  return (lines) => found(lines) || (mayBeWrittenOtherwise(lines) && lines.split('\n').some(foundWhenParsed));

  /** A client may write any character as an escape. */
  function foundWhenParsed(line: string): boolean {
    return mayBeWrittenOtherwise(line) && found(JSON.stringify(JSON.parse(line)));
  }
}

/** The text as lines of JSON have it. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** JSON allows an escape for every character, and a second way to write `/`. */
export const mayBeWrittenOtherwise = (lines: string): boolean =>
  lines.includes('\\') && (lines.includes('\\u') || lines.includes('\\/'));
