// Why rows of a run failed: the reason of each row, and its causes, which the user can filter by.
import { causeOf, type FailureHead, type FailureLine, type JsonObject } from '#contract';
import type { Cell } from './grid/cell.ts';
import type { CellAddress, Row, SheetState } from './grid/sheet-change.ts';
import { RanRows } from './rows-to-run.ts';
import type { StreamedRows } from './rows-text.ts';
import { createYieldToMain } from './yield-to-main.ts';

export type FailureReason = {
  readonly nodeId: string;
  readonly message: string;
  /** The message without the value of `field`, which its cell shows. */
  readonly summary: string;
  readonly cause: FailureCause;
  /** The field that the message is about, and its value in the run; absent if the message names none. */
  readonly field?: { readonly name: string; readonly value: Cell };
};

export type FailureCause = {
  readonly nodeId: string;
  /** The message of its rows; words that differ between rows are replaced by `…`. */
  readonly text: string;
  readonly rows: number;
};

export class RowFailures {
  /** The most frequent first. */
  readonly causes: readonly FailureCause[];
  readonly ran: RanRows;
  readonly #reasons: ReadonlyMap<number, FailureReason>;

  constructor(reasons: ReadonlyMap<number, FailureReason>, ran: RanRows) {
    this.#reasons = reasons;
    this.ran = ran;
    const causes = new Set([...reasons.values()].map(({ cause }) => cause));
    this.causes = [...causes].sort((one, other) => other.rows - one.rows);
  }

  /** Undefined for a row that did not fail, and for a new row. */
  reasonOf({ origin }: Row): FailureReason | undefined {
    return origin === undefined ? undefined : this.#reasons.get(origin);
  }
}

/** Failures of a run: the first line of their stream, and the others. */
export type ReadFailures = { readonly head: FailureHead; readonly lines: readonly FailureLine[] };

/** Explains the failures of those rows, without blocking the page. */
export async function explainFailures(
  { head: { fieldsRead }, lines }: ReadFailures,
  { rows, numbers }: StreamedRows,
): Promise<RowFailures> {
  const indexes = new Map(numbers.map((number, index) => [number, index]));
  const causes = new Map<string, { nodeId: string; text: string; rows: number }>();
  const reasons = new Map<number, FailureReason>();
  const yieldToMain = createYieldToMain();
  for (const [number, nodeId, message] of lines) {
    const row = rows[indexes.get(number) ?? -1];
    if (row === undefined) continue;
    const read = Object.hasOwn(fieldsRead, nodeId) ? fieldsRead[nodeId] : undefined;
    const name = fieldAtFault(message, row, read);
    const value = name === undefined ? undefined : row[name];
    const summary = containsValue(message, value) ? message.replaceAll(String(value).trim(), '…') : message;
    const text = causeOf(summary);
    const key = `${nodeId}\n${text}`;
    const cause = causes.get(key) ?? { nodeId, text, rows: 0 };
    causes.set(key, cause);
    cause.rows += 1;
    const field = name === undefined ? {} : { field: { name, value } };
    reasons.set(number, { nodeId, message, summary, cause, ...field });
    await yieldToMain();
  }
  return new RowFailures(reasons, new RanRows({ rows, numbers }));
}

/** The first cell of a sheet because of which its row failed; undefined if there is none. */
export function firstFault(
  { rows, columns }: Pick<SheetState, 'rows' | 'columns'>,
  failures: RowFailures,
): CellAddress | undefined {
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  for (const [row, each] of rows.entries()) {
    const column = indexes.get(failures.reasonOf(each)?.field?.name ?? '');
    if (column !== undefined) return { row, column };
  }
  return undefined;
}

/** Shorter values, such as "no", are parts of many messages. */
const minQuotedLength = 3;

/**
 * The field because of which a node failed, or undefined if none is certain.
 * @param read fields that the node reads, also through other nodes; undefined if this is not known
 */
export function fieldAtFault(
  message: string,
  row: JsonObject,
  read: readonly string[] | undefined,
): string | undefined {
  return (
    namedField(message, row) ??
    onlyOne((read ?? []).filter((name) => hasWord(message, name))) ??
    onlyOne(read ?? []) ??
    onlyOne((read ?? []).filter((name) => containsValue(message, row[name])))
  );
}

/** The field that a message names: `field "x" …`, or `x: …`, also behind the name of an error. */
function namedField(message: string, row: JsonObject): string | undefined {
  const quoted = /(?<![\p{L}\p{N}])field "([^"]+)"/u.exec(message)?.[1];
  if (quoted !== undefined) return quoted;
  const text = message.replace(/^\w*Error: /, '');
  return Object.keys(row).find((name) => text.startsWith(`${name}: `));
}

const onlyOne = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

function hasWord(message: string, word: string): boolean {
  for (let at = message.indexOf(word); at >= 0; at = message.indexOf(word, at + 1))
    if (!isLetter(message[at - 1]) && !isLetter(message[at + word.length])) return true;
  return false;
}

function containsValue(message: string, value: Cell): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).trim();
  if (text.length < minQuotedLength) return false;
  const at = message.indexOf(text);
  return at >= 0 && !isLetter(message[at - 1]) && !isLetter(message[at + text.length]);
}

const isLetter = (character: string | undefined): boolean => /[\p{L}\p{N}]/u.test(character ?? '');
