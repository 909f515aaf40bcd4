// Groups failed rows by cause. Messages of one cause differ only in values of the row: ids, numbers, names.
import type { RowFailure } from './row-failure.ts';

export type FailureGroup = {
  readonly nodeId: string;
  /** The message, with what differs from row to row left out. */
  readonly cause: string;
  readonly rows: number;
  /** Numbers of the first ones. */
  readonly firstRows: readonly number[];
  /** The first row's own message. */
  readonly message: string;
};

const maxFirstRows = 5;

/** The most frequent first. */
export function groupFailures(failures: readonly RowFailure[]): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { nodeId, message, row } of failures) {
    const cause = causeOf(message);
    const key = `${nodeId}\n${cause}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { nodeId, cause, rows: 1, firstRows: [row], message });
    else groups.set(key, grown(known, row));
  }
  return [...groups.values()]
    .map((group) => (group.rows === 1 ? { ...group, cause: oneLine(group.message) } : group))
    .sort((one, other) => other.rows - one.rows);
}

const grown = (group: FailureGroup, row: number): FailureGroup => ({
  ...group,
  rows: group.rows + 1,
  firstRows: group.firstRows.length < maxFirstRows ? [...group.firstRows, row] : group.firstRows,
});

const longestCause = 200;
/** A message may be as long as a page. */
const lookedAt = 2_000;

const oneLine = (message: string): string =>
  message.slice(0, lookedAt).replace(/\s+/g, ' ').slice(0, longestCause);

/** Addresses of web pages, which stay, so that what follows finds nothing in them. */
const webAddress = /\w+:\/\/\S+/u;
const emailAddress = /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+@[\p{L}\d.-]+/u;
const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z?/u;
/** Ids and the like: letters and digits. A short one in front of all else is an error's code. */
const idLike =
  /(?<![\p{L}\d_-])(?!^[A-Z]{1,2}\d{3,5}(?![\p{L}\d_-]))(?=[\p{L}_-]*\d)(?=[\d-]*[\p{L}_])[\p{L}\d_-]+/u;
const variableText = new RegExp(
  [webAddress, emailAddress, moment, idLike].map(({ source }) => source).join('|'),
  'gu',
);

/** The message without the values of its row: equal for all rows that fail for the same cause. */
export function causeOf(message: string): string {
  const common = message
    .slice(0, lookedAt)
    .replace(
      /(\w+:\/\/[^\s/?#"']+)([^\s?#"']*)([?#][^\s"']*)?/g,
      (_, origin: string, path: string) => origin + path.replace(/[^/]*\d[^/]*/g, '…'),
    )
    .replace(/"[^"]*"|'[^']*'/g, '“…”')
    .replace(variableText, (word) => (word.includes('://') ? word : '…'))
    .replace(/(?<!\bHTTP )(?<![\p{L}\d.:/])-?\d[\d.,]*(?![\p{L}\d])/gu, '…');
  return oneLine(common);
}
