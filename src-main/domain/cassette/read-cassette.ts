import type { TextFault } from '../../base/app-error.ts';
import { runSteps } from '../../base/run-steps.ts';
import { isJsonObject } from '../../base/json-value.ts';
import { parseExactJson } from '../rows/exact-json.ts';
import { isNestedDeeperInSteps } from '../rows/json-depth.ts';
import { findJsonProblem } from '../rows/json-problem.ts';
import { describePosition, positionAt } from '../rows/text-position.ts';
import { checkPart } from '../workflow/check/schema-problems.ts';
import type { FileProblem } from '../workflow/file-problem.ts';
import {
  cassetteEntry,
  cassetteSchema,
  cassetteVersion,
  deepestBody,
  deepestCassette,
  type Cassette,
  type CassetteEntry,
} from './cassette.ts';
import { matchText } from './match-request.ts';

/** `textFault`: the problem with its position, if the text is not JSON. */
export type ReadCassette =
  { readonly cassette: Cassette } | { readonly problem: string; readonly textFault?: TextFault };

/** From the text of a cassette's file to the cassette, or to what is wrong with it first. Never throws on any text. */
export const readCassette = (text: string): ReadCassette => runSteps(readCassetteInSteps(text));

/** As `readCassette`, in steps: 50 MB take seconds. Only the parsing of the JSON is one step. */
export function* readCassetteInSteps(text: string): Generator<undefined, ReadCassette> {
  if (yield* isNestedDeeperInSteps(text, deepestCassette))
    return { problem: `a body in it is nested deeper than ${deepestBody} levels` };
  const data = parse(text);
  if (data === undefined) return syntaxProblem(text);
  yield;
  if (isNewer(data)) return { problem: 'a newer Rowbench is needed for its format' };
  const entries = entriesOf(data);
  const checked = checkPart(
    cassetteSchema,
    entries === undefined ? data : { ...(data as object), entries: [] },
    [],
  );
  if (!checked.ok) return firstOf(checked.problems);
  const read: CassetteEntry[] = [];
  for (const [index, entry] of (entries ?? []).entries()) {
    const checkedEntry = checkPart(cassetteEntry, entry, ['entries', index]);
    if (!checkedEntry.ok) return firstOf(checkedEntry.problems);
    read.push(checkedEntry.value);
    yield;
  }
  return { cassette: { ...checked.value, entries: read } };
}

function firstOf([first]: readonly FileProblem[]): ReadCassette {
  return { problem: first === undefined ? 'it is damaged' : described(first) };
}

/** Undefined for a value without a list of entries, whose problem the schema says. */
function entriesOf(data: unknown): readonly unknown[] | undefined {
  const entries = isJsonObject(data) ? data['entries'] : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function syntaxProblem(text: string): ReadCassette {
  const { offset, problem } = findJsonProblem(text);
  const position = positionAt(text, offset, { line: 1, column: 1 });
  return { problem: `${describePosition(position)}: ${problem}`, textFault: { ...position, problem } };
}

const isNewer = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'rowbench' in data &&
  typeof data.rowbench === 'number' &&
  data.rowbench > cassetteVersion;

/** `entries[2].responses[0].status: Expected …` */
function described({ message, path }: FileProblem): string {
  // What is missing is named by the message, and has no place of its own.
  const steps = message.startsWith('Missing key') ? path.slice(0, -1) : path;
  const location = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return location === '' ? message : `${location.replace(/^\./, '')}: ${message}`;
}

/** The cassette without its entries for requests that the other one has. */
export function withoutRequestsOf(cassette: Cassette, other: Cassette): Cassette {
  const textOf = ({ request }: Cassette['entries'][number]): string => matchText(request, other.matchHeaders);
  const known = new Set(other.entries.map(textOf));
  return { ...cassette, entries: cassette.entries.filter((entry) => !known.has(textOf(entry))) };
}

/** The first cassette, with the entries of the second for requests that the first does not have. */
export function mergeCassettes(
  first: Cassette | undefined,
  second: Cassette | undefined,
): Cassette | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { ...first, entries: [...first.entries, ...withoutRequestsOf(second, first).entries] };
}
