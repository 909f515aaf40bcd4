// Checks whether this build can trust the new versions that it would find. Only a file beside the program names the
// update feed: a page or setting that could name it would decide what runs here.
import { dirname, join } from 'node:path';
import { hasCode } from '../../files/file-system.ts';
import { readTextFile } from '../../files/text-file.ts';

/** Metadata that a build stores beside the program. */
export type BuildInfo = {
  /** The text of `app-update.yml`, which names the feed. */
  readonly feed: string | undefined;
  /** The text of `package-type`, which an installed package has: deb, rpm. */
  readonly packageType: string | undefined;
};

/** Why the app does not update itself, in words for the user; undefined where it does. */
export function updateProblem(
  { feed, packageType = '' }: BuildInfo,
  platform: NodeJS.Platform,
): string | undefined {
  // The updater would install it as root, with no signature that anything has checked: the feed has none.
  if (packageType.trim() !== '')
    return `This Rowbench is an installed ${packageType.trim()} package: install new versions with your package manager`;
  return feedProblem(feed, platform);
}

/** Why new versions from this feed cannot be trusted; undefined where they can. @param text of `app-update.yml` */
export function feedProblem(text: string | undefined, platform: NodeJS.Platform): string | undefined {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(text ?? '')?.[1]?.replace(/^(['"])(.*)\1$/, '$2');
  const provider = valueOf('provider');
  if (provider === undefined) return 'This build of Rowbench names no place where new versions are published';
  const isClosed = provider === 'github' || isHttps(valueOf('url'));
  if (!isClosed) return 'New versions would come over a connection that others can change';
  // macOS checks by itself who signed. An AppImage has no signature: it is as trustworthy as the feed, which comes over
  // HTTPS and names the checksum of each file.
  const names = /^publisherName:(?:[ \t]*\S|[ \t]*\n[ \t]*- \S)/m;
  if (platform === 'win32' && !names.test(text ?? ''))
    return 'This build of Rowbench is not signed, so a new version could not be told from a forged one';
  return undefined;
}

const isHttps = (address = ''): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

/** Reads what the build says of itself. @param feedFile the path of `app-update.yml` */
export async function readBuildInfo(feedFile: string): Promise<BuildInfo> {
  const [feed, packageType] = await Promise.all([
    readIfThere(feedFile),
    readIfThere(join(dirname(feedFile), 'package-type')),
  ]);
  return { feed, packageType };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
