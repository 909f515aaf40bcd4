// The variables of a workflow: their form in its file and in profiles.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';

/** A name that expressions can read as `vars.<name>`. */
const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const maxVariables = 100;

/** Characters of all values as JSON. Each run stores them. */
const maxCharacters = 20_000;

/** The variables as the file has them, those with problems too; undefined for more than a file may have. */
export function writtenVariables(data: JsonValue | undefined): JsonObject | undefined {
  const vars = isJsonObject(data) ? data['vars'] : undefined;
  if (!isJsonObject(vars)) return {};
  return Object.keys(vars).length > maxVariables ? undefined : vars;
}

/** Names with literals. No record: zod drops a key `__proto__` without a word. */
export const varsSchema = z
  .unknown()
  .superRefine((vars, context) => {
    if (vars === undefined) return;
    for (const { message, path } of problemsOf(vars)) context.addIssue({ code: 'custom', message, path });
  })
  .meta({ type: 'object', additionalProperties: true });

type Problem = { readonly message: string; readonly path?: string[] };

function problemsOf(vars: unknown): readonly Problem[] {
  if (!isJsonObject(vars)) return [{ message: 'Expected names with values' }];
  const entries = Object.entries(vars);
  if (entries.length > maxVariables) return [{ message: `Expected at most ${maxVariables} variables` }];
  if (JSON.stringify(vars).length > maxCharacters)
    return [
      {
        message: `Expected values of at most ${maxCharacters} characters together: a table can hold more, for lookup nodes`,
      },
    ];
  return entries.flatMap(([name, value]) => {
    if (!namePattern.test(name))
      return [
        {
          message: `A variable has a name of 1 to 64 letters, digits and "_", and begins with a letter`,
          path: [name],
        },
      ];
    return hasExpression(value)
      ? [{ message: 'A variable has a literal value: "=" and "{{ }}" stand in nodes only', path: [name] }]
      : [];
  });
}

function hasExpression(value: JsonValue): boolean {
  if (typeof value === 'string') return value.startsWith('=') || value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
