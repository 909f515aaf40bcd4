import type { TextFault } from '../../base/app-error.ts';
import { isNestedDeeper } from '../rows/json-depth.ts';
import { findJsonProblem } from '../rows/json-problem.ts';
import { describePosition, positionAt } from '../rows/text-position.ts';
import { checkPart } from '../workflow/schema-problems.ts';
import type { FileProblem } from '../workflow/file-problem.ts';
import { cassetteSchema, cassetteVersion, deepestBody, deepestCassette, type Cassette } from './cassette.ts';

/** `textFault`: the problem with its position, if the text is not JSON. */
export type ReadCassette =
  { readonly cassette: Cassette } | { readonly problem: string; readonly textFault?: TextFault };

/** From the text of a cassette's file to the cassette, or to what is wrong with it first. Never throws on any text. */
export function readCassette(text: string): ReadCassette {
  if (isNestedDeeper(text, deepestCassette))
    return { problem: `a body in it is nested deeper than ${deepestBody} levels` };
  const data = parse(text);
  if (data === undefined) return syntaxProblem(text);
  if (isNewer(data)) return { problem: 'a newer Rowbench is needed for its format' };
  const checked = checkPart(cassetteSchema, data, []);
  if (checked.ok) return { cassette: checked.value };
  const [first] = checked.problems;
  return { problem: first === undefined ? 'it is damaged' : described(first) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
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
