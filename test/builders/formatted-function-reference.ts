// The reference of functions for people, docs/guide/functions.md. `npm run generate` writes it, a spec fails when it is
// stale.
import { format, resolveConfig } from 'prettier';
import {
  authorFunctions,
  type FunctionEntry,
  type FunctionGroup,
} from '../../src-main/domain/expressions/author-functions.ts';

/** The reference of functions as the project's formatter lays it out. */
export async function formattedFunctionReference(): Promise<string> {
  const config = await resolveConfig('docs/guide/functions.md');
  return format(functionReference(), { ...config, parser: 'markdown' });
}

/** Markdown. */
const functionReference = (): string =>
  [
    '# Functions',
    'Generated from the list of functions: `npm run generate`.',
    `Rowbench adds these functions to JavaScript for [expressions and code](expressions.md). They give the same result at any
time and on any machine, and change nothing. A wrong argument fails the node with a message that names the function.
A variable of your own may have the name of one: it then hides the function.`,
    ...authorFunctions.map(sectionOf),
    '',
  ].join('\n\n');

const sectionOf = ({ title, notes, functions }: FunctionGroup): string =>
  [`## ${title}`, ...(notes === undefined ? [] : [notes]), tableOf(functions)].join('\n\n');

const tableOf = (functions: readonly FunctionEntry[]): string =>
  [
    '| function | what it gives | example |',
    '| --- | --- | --- |',
    ...functions.map(
      ({ form, description, example, result }) =>
        `| \`${form}\` | ${description} | \`${example}\` gives \`${JSON.stringify(result)}\` |`,
    ),
  ].join('\n');
