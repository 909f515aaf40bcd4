// What a link or a file that the system hands over asks to be shown. Links come from any web page: only the two forms
// below are understood, and all that they can do is show a place.
import { isAbsolute, resolve } from 'node:path';

const link = /^rowbench:\/\/(runs|workflows)\/([A-Za-z0-9_-]{1,64})\/?$/;
const workflowFile = /\.workflow\.ya?ml$/i;

/** The path in the app of a `rowbench://` link; undefined for any other text. */
export function placeOfLink(text: string): string | undefined {
  const [, screen, id] = link.exec(text) ?? [];
  return screen === undefined ? undefined : `/${screen}/${id}`;
}

/** The path in the app that offers to import a file. Nothing is imported by going there. */
export const importPlace = (file: string): string => `/workflows?import=${encodeURIComponent(file)}`;

/** That of a file which the system hands over; undefined for what is no workflow file. */
export const placeOfFile = (file: string): string | undefined =>
  workflowFile.test(file) && isAbsolute(file) ? importPlace(file) : undefined;

/** What a command line asks for; the last of several. Options are no files. */
export function placeOfArguments(argv: readonly string[], folder: string): string | undefined {
  return argv
    .slice(1)
    .filter((argument) => !argument.startsWith('-'))
    .map((argument) => placeOfLink(argument) ?? placeOfFile(resolve(folder, argument)))
    .findLast((place) => place !== undefined);
}
