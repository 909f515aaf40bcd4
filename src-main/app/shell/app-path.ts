// Turns a link or file that the system hands over into a path in the app. Any web page can send links: only the two
// forms below are accepted, and a link can only show a page of the app.
import path, { type PlatformPath } from 'node:path';
import { fileURLToPath } from 'node:url';

const link = /^rowbench:\/\/(runs|workflows)\/([A-Za-z0-9_-]{1,64})\/?$/;
const workflowFile = /\.workflow\.ya?ml$/i;

/** The path in the app of a `rowbench://` link; undefined for any other text. */
export function pathOfLink(text: string): string | undefined {
  const [, screen, id] = link.exec(text) ?? [];
  return screen === undefined ? undefined : `/${screen}/${id}`;
}

/** The path in the app that offers to import a file. Nothing is imported by going there. */
export const importPath = (file: string): string => `/workflows?import=${encodeURIComponent(file)}`;

/** That of a file which the system hands over; undefined for what is no workflow file. */
export const pathOfFile = (file: string, platformPath: PlatformPath = path): string | undefined =>
  workflowFile.test(file) && platformPath.isAbsolute(file) ? importPath(file) : undefined;

/** The path in the app that a command line asks for; the last of several. Options are ignored. */
export function pathOfArguments(
  argv: readonly string[],
  folder: string,
  platformPath: PlatformPath = path,
): string | undefined {
  const pathOf = (argument: string): string | undefined => {
    const file = /^file:/i.test(argument) ? pathOfFileUrl(argument, platformPath) : argument;
    return (
      pathOfLink(argument) ??
      (file === undefined ? undefined : pathOfFile(platformPath.resolve(folder, file), platformPath))
    );
  };
  return argv
    .slice(1)
    .filter((argument) => !argument.startsWith('-'))
    .map(pathOf)
    .findLast((appPath) => appPath !== undefined);
}

/** The path of a `file:` URL; undefined where the system has none for it, as outside Windows for one with a host. */
function pathOfFileUrl(url: string, { sep }: PlatformPath): string | undefined {
  try {
    return fileURLToPath(url, { windows: sep === '\\' });
  } catch {
    return undefined;
  }
}

/** The file that a place of the app offers to import. */
export const importedFileOf = (appPath: string): string | undefined =>
  new URL(appPath, 'http://127.0.0.1').searchParams.get('import') ?? undefined;
