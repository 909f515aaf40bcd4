// The one way from the app to the user's browser or mail program. The address is shown before it is opened: a script
// that got into a page must not be able to carry data out silently.
import { outsideAddress } from '../app/shell/outside-address.ts';
import type { ElectronParts } from './electron-parts.ts';

/** Asks about each address, one at a time; those that come meanwhile are dropped. */
export function createOpenOutside({
  shell,
  dialog,
}: Pick<ElectronParts, 'shell' | 'dialog'>): (address: string) => Promise<void> {
  let isAsking = false;
  return async (text) => {
    const address = outsideAddress(text);
    if (address === undefined || isAsking) return;
    isAsking = true;
    try {
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: 'Open this address outside Rowbench?',
        detail: address,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      });
      if (response === 0) await shell.openExternal(address);
    } finally {
      isAsking = false;
    }
  };
}
