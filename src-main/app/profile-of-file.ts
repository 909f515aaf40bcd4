import type { Profile } from '../domain/profiles/profile.ts';
import type { FileParser } from '../services/file-parser.ts';
import { findProfile } from '../services/profile-service.ts';
import { findKeeper } from '../storage/find-keeper.ts';

/**
 * The profile with this name for a file that the user names on the command line; undefined without a name. Throws
 * `invalid_input` for one that is not there.
 */
export async function profileOfFile(
  file: string,
  name: string | undefined,
  parser: FileParser,
): Promise<Profile | undefined> {
  if (name === undefined) return undefined;
  const { importedAs } = (await findKeeper(file)) ?? {};
  const location = importedAs === undefined ? 'named' : { importedAs };
  return findProfile({ file, location }, name, parser);
}
