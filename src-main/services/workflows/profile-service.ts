// Profiles: values for the variables of workflows, in a file beside them. Who calls: whatever starts a run or a preview.
// An import brings no profiles along: those of the folder above it count, which is the user's own.
import { AppError } from '../../base/app-error.ts';
import { hasCode } from '../../files/file-system.ts';
import { readTextFile } from '../../files/text-file.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import type { ParsedProfiles } from '../../domain/profiles/parse-profiles.ts';
import type { Run } from '../../domain/run/run.ts';
import { describeIssue, issueOfFile } from '../../domain/workflow/issue.ts';
import { profilesInvalid, profileUnknown } from '../../domain/workflow-errors.ts';
import type { FileParser } from './file-parser.ts';
import { loadWorkflow, profilesFileOf, type LoadedWorkflow } from './workflow-service.ts';

/** The file of a workflow, and whose it is. */
type ProfileOwner = Pick<LoadedWorkflow, 'file' | 'location'>;

/** `problem`: why the profile cannot be used. */
type ProfileOrProblem = { readonly profile?: Profile; readonly problem?: string };

/** Profiles for a workflow; undefined where it has no file of profiles. */
export async function readProfiles(
  owner: ProfileOwner,
  parser: FileParser,
): Promise<ParsedProfiles | undefined> {
  try {
    return await parser.profiles(await readTextFile(profilesFileOf(owner)));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Throws `invalid_input` for an unknown name, and for a file of profiles with errors. */
export async function findProfile(owner: ProfileOwner, name: string, parser: FileParser): Promise<Profile> {
  const { profiles = [], issues: [issue] = [] } = (await readProfiles(owner, parser)) ?? {};
  if (issue !== undefined) throw profilesInvalid(describeIssue(profilesFileName, issue));
  const found = profiles.find((profile) => profile.name === name);
  if (found === undefined)
    throw profileUnknown(
      name,
      profiles.map((profile) => profile.name),
    );
  return found;
}

/** True if a run that was accepted now would have the same text. */
export const isFileOfRun = async (
  loaded: LoadedWorkflow | undefined,
  { profile, workflowHash }: Pick<Run, 'profile' | 'workflowHash'>,
  parser: FileParser,
): Promise<boolean> =>
  loaded !== undefined && (await inProfile(loaded, profile, parser)).hash === workflowHash;

/** The workflow with the values of each profile, by its name. Profiles with errors are left out. */
export async function inEachProfile(
  loaded: LoadedWorkflow,
  parser: FileParser,
): Promise<readonly { readonly name: string; readonly loaded: LoadedWorkflow }[]> {
  const { profiles = [] } = (await readProfiles(loaded, parser)) ?? {};
  return Promise.all(
    profiles.map(async (profile) => ({
      name: profile.name,
      loaded: await inProfile(loaded, profile, parser),
    })),
  );
}

/**
 * The profile that a server uses where none is named, or why it cannot be used. A folder without profiles needs none.
 * @param name the setting
 */
export async function serverProfile(
  owner: ProfileOwner,
  name: string | undefined,
  parser: FileParser,
): Promise<ProfileOrProblem> {
  if (name === undefined || (await readProfiles(owner, parser)) === undefined) return {};
  return profileOrProblem(owner, name, parser);
}

/** The profile that a user chose. @param name undefined: that of the server; empty: none, the defaults of the file */
export async function chosenProfile(
  owner: ProfileOwner,
  { name, ofServer }: { readonly name: string | undefined; readonly ofServer: string | undefined },
  parser: FileParser,
): Promise<ProfileOrProblem> {
  if (name === '') return {};
  return name === undefined ? serverProfile(owner, ofServer, parser) : profileOrProblem(owner, name, parser);
}

async function profileOrProblem(
  owner: ProfileOwner,
  name: string,
  parser: FileParser,
): Promise<ProfileOrProblem> {
  try {
    return { profile: await findProfile(owner, name, parser) };
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message };
    throw error;
  }
}

/** Results by profile, as long as the file stays as it is. */
const known = new WeakMap<LoadedWorkflow, Map<string, Promise<LoadedWorkflow>>>();

/** The workflow with the values of the profile in its text; without one, the workflow as it is. */
export function inProfile(
  loaded: LoadedWorkflow,
  profile: Profile | undefined,
  parser: FileParser,
): Promise<LoadedWorkflow> {
  if (profile === undefined) return Promise.resolve(loaded);
  const results = known.get(loaded) ?? new Map<string, Promise<LoadedWorkflow>>();
  known.set(loaded, results);
  const key = JSON.stringify(profile);
  const result = results.get(key) ?? loadInProfile(loaded, profile, parser);
  if (results.size >= maxResults) results.clear();
  results.set(key, result);
  return result;
}

const maxResults = 20;

async function loadInProfile(
  loaded: LoadedWorkflow,
  profile: Profile,
  parser: FileParser,
): Promise<LoadedWorkflow> {
  const text = await parser.inProfile(loaded.source, profile);
  if (text === loaded.source) return loaded;
  const { id, hash, source, file, location, sampleRow } = loaded;
  if (text === undefined) {
    const message = `The values of the profile "${profile.name}" cannot be written into this file`;
    return { id, hash, source, file, location, issues: [issueOfFile(message)] };
  }
  const resolved = await loadWorkflow({ path: file, location }, text, parser);
  return { ...resolved, ...(sampleRow === undefined ? {} : { sampleRow }) };
}
