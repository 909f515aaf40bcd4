// Files and folders on other computers, by UNC path. On Windows a mere look at one logs in there with the user's
// credentials, so the user is asked before the app touches one that a command line or another program names.
import { remoteFileQuestion, type Question } from './ask-first.ts';
import { importedFileOf } from './app-path.ts';

type Agrees = (question: Question) => Promise<boolean>;
type Show = (appPath: string | undefined) => void;

/**
 * The computer of a UNC path (`\\host\share`, `//host/share`, `\\?\UNC\host\share`); undefined for a path on this
 * computer.
 */
export function remoteHostOf(file: string): string | undefined {
  if (!/^[\\/]{2}/.test(file) || /^[\\/]{2}[?.][\\/][a-z]:/i.test(file)) return undefined;
  return /^[\\/]{2}(?:[?.][\\/]+UNC[\\/]+)?([^\\/]*)/i.exec(file)?.[1];
}

/** True if the path is on this computer, or the user agrees to connect to the other computer. */
export async function mayTouch(file: string | undefined, agrees: Agrees): Promise<boolean> {
  const host = file === undefined ? undefined : remoteHostOf(file);
  return file === undefined || host === undefined || agrees(remoteFileQuestion(file, host));
}

/**
 * Shows places of the app; one that reads a file on another computer only once the user agrees, else the app as it is.
 * While that question is open, further such places are dropped, so that no program can pile up questions.
 */
export function askAboutRemoteFiles(show: Show, agrees: Agrees): Show {
  let isAsking = false;
  return (appPath) => {
    const file = appPath === undefined ? undefined : importedFileOf(appPath);
    if (file === undefined || remoteHostOf(file) === undefined) return show(appPath);
    if (isAsking) return;
    isAsking = true;
    void mayTouch(file, agrees)
      .then((may) => show(may ? appPath : undefined))
      .finally(() => (isAsking = false));
  };
}
