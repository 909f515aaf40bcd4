// The values of variables in a file of profiles, with the lines on which they stand, for a form. A profile with errors has
// its values, too.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { readFile } from '../workflow/read-file.ts';

export type ProfileVars = {
  readonly name: string;
  /** Line of its name, from 1. */
  readonly line: number;
  readonly vars: readonly { readonly name: string; readonly value: JsonValue; readonly line: number }[];
};

/** The profiles in the order of the file; none for a text that is not YAML. */
export function profileVars(text: string): readonly ProfileVars[] {
  const { document } = readFile(text);
  if (document === undefined || !isJsonObject(document.data)) return [];
  const lineOf = (path: readonly string[]): number => document.positionOf({ path, atKey: true }).line;
  return Object.entries(document.data).map(([name, profile]) => {
    const own = isJsonObject(profile) ? profile['vars'] : undefined;
    const vars = Object.entries(isJsonObject(own) ? own : {});
    return {
      name,
      line: lineOf([name]),
      vars: vars.map(([key, value]) => ({ name: key, value, line: lineOf([name, 'vars', key]) })),
    };
  });
}
