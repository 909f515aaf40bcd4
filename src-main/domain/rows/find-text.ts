/** Whether lines of JSON hold a text, in a name or a value; upper and lower case are the same. */
export function textFinder(text: string): (lines: string) => boolean {
  const wanted = inJson(text).toLowerCase();
  const found = (lines: string): boolean => lines.toLowerCase().includes(wanted);
  return (lines) => found(lines) || (mayBeWrittenOtherwise(lines) && lines.split('\n').some(heldWhenRead));

  /** A client may write any character as an escape. */
  function heldWhenRead(line: string): boolean {
    return mayBeWrittenOtherwise(line) && found(JSON.stringify(JSON.parse(line)));
  }
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** JSON allows an escape for every character, and a second way to write `/`. */
const mayBeWrittenOtherwise = (lines: string): boolean => lines.includes('\\u') || lines.includes('\\/');
