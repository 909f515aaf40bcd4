// Why the app could not start, in words and with ways out. The server never falls back by itself to another port or
// folder: the user decides.
import { AppError, errorText } from '../../base/app-error.ts';

/** `other-port`: any free one, this time. */
export type WayOutKind = 'again' | 'other-port' | 'other-folder' | 'quit';
type Choice = { readonly label: string; readonly kind: WayOutKind };
type Explanation = { readonly message: string; readonly detail: string; readonly choices: readonly Choice[] };

const again: Choice = { label: 'Try again', kind: 'again' };
const otherPort: Choice = { label: 'Use another port this time', kind: 'other-port' };
const otherFolder: Choice = { label: 'Choose another folder…', kind: 'other-folder' };
const quit: Choice = { label: 'Quit', kind: 'quit' };

/** The message for the user, and the choices offered. */
export function explainStart(error: unknown, dataDir: string): Explanation {
  const detail = errorText(error);
  // The store wraps what the system said of its folder; the system's own reason is the one to act on.
  switch (systemCodeOf(error) ?? (error instanceof AppError ? error.code : undefined)) {
    case 'port_taken':
      return {
        message: 'Another program has the port of Rowbench',
        detail: `${detail}.\n\nYour scripts call that port: with another one they need its address.`,
        choices: [again, otherPort, quit],
      };
    case 'data_folder_locked':
      return {
        message: 'Another Rowbench has the data folder',
        detail: `${detail}.\n\nPerhaps "rowbench serve" runs in a terminal. Stop it there, then try again.`,
        choices: [again, otherFolder, quit],
      };
    case 'EACCES':
    case 'EPERM':
      return {
        message: 'Rowbench may not use the data folder',
        detail: `${dataDir} belongs to another user, or its permissions do not let you in.\n\n${detail}`,
        choices: [again, otherFolder, quit],
      };
    case 'EROFS':
      return {
        message: 'The data folder is read-only',
        detail: `${dataDir} is on a disk that cannot be written to.\n\n${detail}`,
        choices: [again, otherFolder, quit],
      };
    case 'data_unreadable':
      return {
        message: 'Stored data cannot be read',
        detail: `${detail}.\n\nNothing was changed in ${dataDir}. A copy from a backup helps; another folder starts empty.`,
        choices: [again, otherFolder, quit],
      };
    default:
      return { message: 'Rowbench could not start', detail, choices: [again, otherFolder, quit] };
  }
}

const folderCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The operating system's own reason not to let us at a folder, of the error or of what caused it. */
function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  const isOfFolder = typeof code === 'string' && folderCodes.has(code);
  return isOfFolder ? code : systemCodeOf(error.cause);
}
