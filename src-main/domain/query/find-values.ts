// The search for a text in the values of all runs: what is asked and answered, and where a line has the text.
import { escapeRegExp } from '../../base/escape-reg-exp.ts';
import { inJson, mayBeWrittenOtherwise, textFinder } from '../rows/find-text.ts';
import { beginning } from '../rows/preview-row.ts';
import type { Column } from './column.ts';

/** A place in the search: the next row to look at. Newer runs, and rows before it, have been searched. */
export type FindCursor = {
  readonly runId: string;
  readonly of: Column['of'];
  /** Position of the row in the run, from 1. */
  readonly position: number;
};

export type FindQuery = {
  readonly text: string;
  /** Absent: the runs of all workflows. */
  readonly workflowId?: string | undefined;
  /** Absent: rows and outputs. */
  readonly of?: Column['of'] | undefined;
  /** Absent: from the newest run on. */
  readonly cursor?: FindCursor | undefined;
  /** The search stops after the row with this hit. */
  readonly limit: number;
};

/** A value that contains the text. The three pieces together are the value, or the part of it around the text. */
export type FoundValue = {
  readonly before: string;
  readonly match: string;
  readonly after: string;
};

export type FindHit = FoundValue & {
  readonly runId: string;
  readonly workflowId: string;
  /** The number that the row goes by. */
  readonly row: number;
  /** The column of the value, which may be deep inside it. */
  readonly column: Column;
  /** First text of the row's input. Absent: it has none, or is too large. */
  readonly label?: string;
};

/** Hits of a part of the search. */
export type FindPart = {
  readonly hits: readonly FindHit[];
  /** Where the search goes on; absent: all runs have been searched. */
  readonly next?: FindCursor;
  /** Rows and outputs above 1 MB, which are not searched. */
  readonly largeLines: number;
  /** Ids of runs that are damaged, so that their remaining rows are not searched. */
  readonly unreadableRuns: readonly string[];
};

export type FindPage = FindPart & {
  /** Runs that have been searched so far, from the newest on. */
  readonly runsSearched: number;
  /** All runs that the search is about. */
  readonly runs: number;
};

/** Maximum characters of a text that is searched for. */
export const maxFindText = 500;

/** Maximum characters that are shown before and after a match. */
const maxAround = 100;

/** Maximum columns of one line that are hits: a text such as "a" is in all of them. */
const maxHitsInLine = 20;

export class ValueFinder {
  /** True if one of the lines may have the text in a value; it may also be a name. */
  readonly mayMatch: (lines: string) => boolean;
  readonly #target: string;
  readonly #pattern: RegExp;

  constructor(text: string) {
    this.mayMatch = textFinder(text);
    this.#target = text.toLowerCase();
    this.#pattern = new RegExp(escapeRegExp(inJson(text).toLowerCase()), 'i');
  }

  /** The same for lines of ASCII, in a fraction of the time. Beyond ASCII a pattern has another meaning of lower case. */
  mayMatchAscii(lines: string): boolean {
    return this.#pattern.test(lines) || (mayBeWrittenOtherwise(lines) && this.mayMatch(lines));
  }

  /** The first value with the text of each column of a line. Names are no values. */
  find(line: string): (FoundValue & { readonly name: string })[] {
    const found = new Map<string, FoundValue>();
    for (const { name, text } of scalarsOf(line)) {
      if (found.has(name)) continue;
      const range = this.#locate(text);
      if (range === undefined) continue;
      found.set(name, excerpt(text, range));
      if (found.size === maxHitsInLine) break;
    }
    return [...found].map(([name, value]) => ({ name, ...value }));
  }

  #locate(value: string): Range | undefined {
    const lower = value.toLowerCase();
    for (let at = lower.indexOf(this.#target); at >= 0; at = lower.indexOf(this.#target, at + 1)) {
      const end = at + this.#target.length;
      // Half a character is not what the user looks for.
      if (splitsCharacter(lower, at) || splitsCharacter(lower, end)) continue;
      return lower.length === value.length ? { at, end } : rangeBeforeLowering(value, { at, end });
    }
    return undefined;
  }
}

type Range = { readonly at: number; readonly end: number };

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Each text, number and word of a row as it is written, with the column that it is in. */
function* scalarsOf(line: string): Generator<{ readonly name: string; readonly text: string }> {
  const isInObject: boolean[] = [];
  let isName = false;
  let name = '';
  for (const [part] of line.matchAll(token)) {
    const first = part.charAt(0);
    if (first === '{' || first === '[') {
      isInObject.push(first === '{');
      isName = first === '{';
    } else if (first === '}' || first === ']') isInObject.pop();
    else if (first === ',') isName = isInObject.at(-1) === true;
    else if (first === ':') isName = false;
    else {
      const text = first === '"' ? textOf(part) : part;
      if (!isName) yield { name, text };
      else if (isInObject.length === 1) name = text;
    }
  }
}

const textOf = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

/** The same range in the value, where lower case has more letters: "İ" becomes two. */
function rangeBeforeLowering(value: string, { at, end }: Range): Range {
  let lowered = 0;
  let index = 0;
  let start: number | undefined;
  for (const character of value) {
    if (lowered >= at) start ??= index;
    if (lowered >= end) break;
    lowered += character.toLowerCase().length;
    index += character.length;
  }
  return { at: start ?? index, end: index };
}

function excerpt(value: string, { at, end }: Range): FoundValue {
  const cut = Math.max(0, at - maxAround);
  const start = splitsCharacter(value, cut) ? cut + 1 : cut;
  const after = beginning(value.slice(end), maxAround);
  return {
    before: `${start > 0 ? '…' : ''}${value.slice(start, at)}`,
    match: value.slice(at, end),
    after: end + after.length < value.length ? `${after}…` : after,
  };
}

const splitsCharacter = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
