// Why rows of a run failed: the reason of each row, and its causes, which the user can filter by.
import { causeOf, type FailureLine, type JsonObject } from '#contract';
import type { Cell } from '../sheet/cell.ts';
import type { Row } from '../sheet/sheet-change.ts';
import type { StreamedRows } from './read-row-stream.ts';
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
  readonly #reasons: ReadonlyMap<number, FailureReason>;

  constructor(reasons: ReadonlyMap<number, FailureReason>) {
    this.#reasons = reasons;
    const causes = new Set([...reasons.values()].map(({ cause }) => cause));
    this.causes = [...causes].sort((one, other) => other.rows - one.rows);
  }

  /** Undefined for a row that did not fail, and for a new row. */
  reasonOf({ origin }: Row): FailureReason | undefined {
    return origin === undefined ? undefined : this.#reasons.get(origin);
  }
}

/** Explains the failures of those rows, without blocking the page. */
export async function explainFailures(
  lines: readonly FailureLine[],
  { rows, numbers }: StreamedRows,
): Promise<RowFailures> {
  const indexes = new Map(numbers.map((number, index) => [number, index]));
  const causes = new Map<string, { nodeId: string; text: string; rows: number }>();
  const reasons = new Map<number, FailureReason>();
  const yieldToMain = createYieldToMain();
  for (const [number, nodeId, message] of lines) {
    const row = rows[indexes.get(number) ?? -1];
    if (row === undefined) continue;
    const name = fieldAtFault(message, row);
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
  return new RowFailures(reasons);
}

/** Shorter values, such as "no", are parts of many messages. */
const minQuotedLength = 3;

/** The field that a message is about: it names the field, or it quotes the value of exactly one field. */
export function fieldAtFault(message: string, row: JsonObject): string | undefined {
  const quoted = /^field "([^"]+)"/.exec(message)?.[1];
  if (quoted !== undefined) return quoted;
  const names = Object.keys(row);
  const first = names.find((name) => message.startsWith(`${name}: `));
  if (first !== undefined) return first;
  const inQuotes = names.filter((name) => message.includes(`"${name}"`));
  if (inQuotes.length === 1) return inQuotes[0];
  const values = names.filter((name) => containsValue(message, row[name]));
  return values.length === 1 ? values[0] : undefined;
}

function containsValue(message: string, value: Cell): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).trim();
  if (text.length < minQuotedLength) return false;
  const at = message.indexOf(text);
  return at >= 0 && !isLetter(message[at - 1]) && !isLetter(message[at + text.length]);
}

const isLetter = (character: string | undefined): boolean => /[\p{L}\p{N}]/u.test(character ?? '');
