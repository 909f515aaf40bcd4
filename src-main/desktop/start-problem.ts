// Asks the user what to do about a failed start.
import { explainStart, type WayOutKind } from '../app/shell/explain-start.ts';
import type { ElectronApi } from './electron-api.ts';

export type WayOut =
  | { readonly kind: Exclude<WayOutKind, 'other-folder'> }
  | { readonly kind: 'other-folder'; readonly dataDir: string };

/** Until there is an answer that can be followed. */
export async function askWayOut(
  dialog: ElectronApi['dialog'],
  error: unknown,
  dataDir: string,
): Promise<WayOut> {
  const { message, detail, choices } = explainStart(error, dataDir);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Rowbench',
    message,
    detail,
    buttons: choices.map(({ label }) => label),
    defaultId: 0,
    cancelId: choices.length - 1,
    noLink: true,
  });
  const { kind } = choices[response] ?? { kind: 'quit' };
  if (kind !== 'other-folder') return { kind };
  const chosen = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] });
  const [folder] = chosen.filePaths;
  return folder === undefined ? askWayOut(dialog, error, dataDir) : { kind, dataDir: folder };
}
