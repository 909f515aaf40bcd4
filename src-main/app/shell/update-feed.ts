// Whether new versions that this build would find can be trusted. The build names its feed in a file beside the
// program; nothing else can: a page or a setting that could would decide what runs here.
import { hasCode } from '../../storage/file-system.ts';
import { readText } from '../../storage/text-file.ts';

/** Why there are no updates, in words for a person; undefined where there are. @param text of `app-update.yml` */
export function feedProblem(text: string | undefined, platform: NodeJS.Platform): string | undefined {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(text ?? '')?.[1]?.replace(/^(['"])(.*)\1$/, '$2');
  const provider = valueOf('provider');
  if (provider === undefined) return 'This build of Rowbench names no place where new versions are published';
  const isClosed = provider === 'github' || isHttps(valueOf('url'));
  if (!isClosed) return 'New versions would come over a connection that others can change';
  // The system checks who signed elsewhere: macOS by itself, Linux by the checksums that come over HTTPS.
  const names = /^publisherName:(?:[ \t]*\S|[ \t]*\n[ \t]*- \S)/m;
  if (platform === 'win32' && !names.test(text ?? ''))
    return 'This build of Rowbench is not signed, so a new version could not be told from a forged one';
  return undefined;
}

const isHttps = (address = ''): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

/** The file's text; undefined where there is none. */
export async function readFeed(path: string): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
