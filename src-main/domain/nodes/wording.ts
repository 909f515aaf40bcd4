// Messages for the problems that zod finds, for a person who edits a workflow file or a stored document by hand. Passed to every
// parse of one.
import type { z } from 'zod';
import { didYouMean } from '../closest-name.ts';
import { maxIssues } from '../workflow/issue.ts';

/** One line; for unknown keys one line a key, in the order of the issue's `keys`, as many as a file may have issues. */
export function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, maxIssues + 1)
        .map((key) => unknownKey(key, knownKeys(issue.inst)))
        .join('\n');
    case 'invalid_type':
      return issue.input === undefined ? missingValue : `Expected ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return invalidValue(issue.input, issue.values);
    case 'too_small':
      return `Expected ${bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `Expected ${bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin)}`;
    case 'invalid_union':
      return 'Expected another kind of value here';
    default:
      return issue.message ?? 'Not allowed here';
  }
}

/** Told apart from other problems: it stands at the object that lacks the key. */
export const missingValue = 'Missing value';

const kinds: { readonly [expected: string]: string } = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'names with values',
};

function unknownKey(key: string, known: readonly string[]): string {
  const unknown = `Unknown key ${JSON.stringify(key)}`;
  const [, name, value] = /^([\w-]+):(\S.*)$/.exec(key) ?? [];
  // YAML reads `{ type:text }` as one key without a value.
  return name !== undefined && known.includes(name)
    ? `${unknown}: put a space after the colon (${name}: ${value})`
    : `${unknown}${didYouMean(key, known)}`;
}

/** The keys of the object schema that found an unknown one. */
function knownKeys(schema: unknown): readonly string[] {
  const shape: unknown =
    typeof schema === 'object' && schema !== null && 'shape' in schema ? schema.shape : {};
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
}

function invalidValue(input: unknown, allowed: readonly unknown[]): string {
  if (input === undefined) return missingValue;
  const list = allowed.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  const hint =
    typeof input === 'string'
      ? didYouMean(
          input,
          allowed.filter((value) => typeof value === 'string'),
        )
      : '';
  return allowed.length === 1 ? `Expected ${list}` : `Expected one of ${list}${hint}`;
}

function bound(word: string, limit: number | bigint, origin: string): string {
  if (origin === 'string') return `${word} ${limit} characters`;
  if (origin === 'array') return `${word} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  return `${word} ${limit}`;
}
