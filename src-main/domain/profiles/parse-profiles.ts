// From the text of a file of profiles to its profiles, or to everything that is wrong with it. Never throws on any text.
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import { didYouMean } from '../closest-name.ts';
import { secretNamePattern } from '../secrets/secret.ts';
import type { FileProblem } from '../workflow/file-problem.ts';
import { limitIssues, type Issue } from '../workflow/issue.ts';
import { readFile } from '../workflow/read-file.ts';
import { checkPart } from '../workflow/check/schema-problems.ts';
import { varsSchema } from '../workflow/variables.ts';
import { profileNamePattern } from './profile-names.ts';
import type { Profile } from './profile.ts';

export type ParsedProfiles = {
  /** Those without errors, in the order of the file. */
  readonly profiles: readonly Profile[];
  readonly issues: readonly Issue[];
};

const secretName = z
  .string()
  .regex(secretNamePattern, 'A secret is named by capital letters, digits and "_", 64 in all at most');
const profileKeys = z.strictObject({
  vars: varsSchema.exactOptional(),
  secrets: z.record(z.string(), secretName).exactOptional(),
});

/** @param known names of the variables of all workflows that the profiles are for; absent: all names are right */
export function parseProfiles(text: string, known?: readonly string[]): ParsedProfiles {
  if (text.trim() === '') return { profiles: [], issues: [] };
  const { document, issues } = readFile(text);
  if (document === undefined) return { profiles: [], issues: limitIssues(issues) };
  const { data } = document;
  if (!isJsonObject(data))
    return {
      profiles: [],
      issues: [document.issueOf({ message: 'Expected profiles: names with vars', path: [] })],
    };
  const parsed = Object.keys(data).map((name) => parseProfile(name, data, known));
  const problems = parsed.flatMap((each) => each.problems);
  return {
    profiles: parsed.flatMap(({ profile }) => profile ?? []),
    issues: limitIssues([...issues, ...problems.map((problem) => document.issueOf(problem))]),
  };
}

type ParsedProfile = { readonly profile?: Profile; readonly problems: readonly FileProblem[] };

function parseProfile(name: string, data: JsonObject, known: readonly string[] | undefined): ParsedProfile {
  if (!profileNamePattern.test(name)) {
    const message = 'A profile has a name of 1 to 64 letters, digits, "_" and "-"';
    return { problems: [{ message, path: [name], atKey: true }] };
  }
  const parsed = checkPart(profileKeys, data[name], [name]);
  if (!parsed.ok) return parsed;
  const { secrets = {} } = parsed.value;
  const own = isJsonObject(data[name]) ? data[name]['vars'] : undefined;
  const vars = isJsonObject(own) ? own : {};
  const problems = known === undefined ? [] : unknownVariables(name, vars, known);
  return problems.length > 0 ? { problems } : { profile: { name, vars, secrets }, problems };
}

const unknownVariables = (profile: string, vars: JsonObject, known: readonly string[]): FileProblem[] =>
  Object.keys(vars)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `No workflow in this folder has a variable ${JSON.stringify(name)}${didYouMean(name, known)}`,
      path: [profile, 'vars', name],
      atKey: true,
    }));
