// Groups failed rows by cause. Messages of one cause differ only in values of the row: ids, numbers, names.
import type { RowFailure } from '../run/row-failure.ts';

export type FailureGroup = {
  readonly nodeId: string;
  /** The message in one line; words that differ between its rows are replaced by `…`. */
  readonly cause: string;
  readonly rows: number;
  /** Numbers of the first ones. */
  readonly firstRows: readonly number[];
  /** The first row's own message. */
  readonly message: string;
};

const maxFirstRows = 5;

/** The most frequent first. */
export function groupFailures(
  failures: readonly Pick<RowFailure, 'row' | 'nodeId' | 'message'>[],
): readonly FailureGroup[] {
  const groups = new Map<string, Growing>();
  for (const { nodeId, message, row } of failures) {
    const masked = maskMessage(message);
    const key = `${nodeId}\n${masked.template}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { nodeId, rows: 1, firstRows: [row], message, masked });
    else grow(known, row, masked);
  }
  return [...groups.values()]
    .map(({ masked, ...group }) => ({
      ...group,
      cause: group.rows === 1 ? oneLine(group.message) : fillIn(masked),
    }))
    .sort((one, other) => other.rows - one.rows);
}

type Growing = Omit<FailureGroup, 'cause' | 'rows'> & { rows: number; firstRows: number[]; masked: Masked };

function grow(group: Growing, row: number, { words }: Masked): void {
  group.rows += 1;
  if (group.firstRows.length < maxFirstRows) group.firstRows.push(row);
  const { masked } = group;
  if (masked.words.every((word, at) => word === words[at] || word === undefined)) return;
  group.masked = {
    ...masked,
    words: masked.words.map((word, at) => (word === words[at] ? word : undefined)),
  };
}

const longestCause = 200;
/** A message may be as long as a page. */
const lookedAt = 2_000;

const oneLine = (message: string): string =>
  message.slice(0, lookedAt).replace(/\s+/g, ' ').slice(0, longestCause);

/** Addresses of web pages, which stay, so that what follows finds nothing in them. */
const webAddress = /(?<!\w)\w+:\/\/\S+/u;
const emailAddress = /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+@[\p{L}\d.-]+/u;
const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z?/u;
/**
 * Ids and the like: letters and digits. A short one in front of all else is an error's code, and a field of the wrong
 * type begins the message of the input node.
 */
const idLike =
  /(?<![\p{L}\d_-])(?!^[A-Z]{1,2}\d{3,5}(?![\p{L}\d_-]))(?!^[^:]+: .+ is not (?:text|a number|true or false|a list|an object)$)(?=[\p{L}_-]*\d)(?=[\d-]*[\p{L}_])[\p{L}\d_-]+/u;
const variableText = new RegExp(
  [webAddress, emailAddress, moment, idLike].map(({ source }) => source).join('|'),
  'gu',
);
const number = /(?<!\bHTTP )(?<![\p{L}\d.:/])-?\d[\d.,]*(?![\p{L}\d])/gu;
/** A quoted text that names a part of the workflow or of the row: another name is another cause. */
const quoted = /(\b(?:field|header|node|workflow|secret|reading|setting) )?("[^"]*"|'[^']*')/g;

/** A message whose variable words are taken out. */
type Masked = {
  /** The message with `hidden` or `hiddenQuoted` in place of each word. Rows of one cause have the same template. */
  readonly template: string;
  /** The words in the order of the template; undefined if rows have different ones. */
  readonly words: readonly (string | undefined)[];
};

// Characters for private use stand for words while a message is searched: no message needs them.
const hidden = '\uE000';
const hiddenQuoted = '\uE001';
const firstWord = 0xe002;
const privateUse = /[\uE000-\uF8FF]/g;

function maskMessage(message: string): Masked {
  const words: { readonly text: string; readonly mask: string }[] = [];
  const original = (text: string): string =>
    text.replace(privateUse, (mark) => words[mark.charCodeAt(0) - firstWord]?.text ?? mark);
  const hide = (text: string, mask = hidden): string =>
    String.fromCharCode(firstWord + words.push({ text: original(text), mask }) - 1);
  const marked = message
    .slice(0, lookedAt)
    .replace(privateUse, '?')
    .replace(/\s+/g, ' ')
    .replace(
      /(?<!\w)(\w+:\/\/[^\s/?#"']+)([^\s?#"']*)([?#][^\s"']*)?/g,
      (_, origin: string, path: string) =>
        origin + path.replace(/[^/]+/g, (part) => (/\d/.test(part) ? hide(part) : part)),
    )
    .replace(quoted, (_, name: string | undefined, text: string) =>
      name === undefined ? hide(text, hiddenQuoted) : name + text,
    )
    .replace(variableText, (word) => (word.includes('://') ? word : hide(word)))
    .replace(number, (word) => hide(word))
    .slice(0, longestCause);
  const shown = [...marked.matchAll(privateUse)].flatMap(
    ([mark]) => words[mark.charCodeAt(0) - firstWord] ?? [],
  );
  let at = 0;
  return {
    template: marked.replace(privateUse, () => shown[at++]?.mask ?? hidden),
    words: shown.map(({ text }) => text),
  };
}

/** The template with its words; `…` stands for the words that differ. */
function fillIn({ template, words }: Masked): string {
  let at = 0;
  return oneLine(
    template.replace(privateUse, (mask) => words[at++] ?? (mask === hiddenQuoted ? '“…”' : '…')),
  );
}

/** The message without the words that may differ between rows: equal for rows that fail for the same cause. */
export function causeOf(message: string): string {
  return fillIn({ template: maskMessage(message).template, words: [] });
}
