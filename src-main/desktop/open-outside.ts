// The one way from the app to the user's browser or mail program. The address is shown before it is opened: a script
// that got into a page must not be able to carry data out silently.
import { outsideAddress } from '../app/shell/outside-address.ts';
import { createQuestionLimit } from '../app/shell/question-limit.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ElectronApi } from './electron-api.ts';

type Deps = Pick<ElectronApi, 'shell' | 'dialog'> & {
  readonly clock: Clock;
  readonly log: Log;
};

/** Asks about each address, one at a time and a few times a minute; those that come meanwhile are dropped. */
export function createOpenOutside({ shell, dialog, clock, log }: Deps): (address: string) => Promise<void> {
  const limited = createQuestionLimit(clock, log);
  return async (text) => {
    const address = outsideAddress(text);
    if (address === undefined) return;
    await limited(async () => {
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
    });
  };
}
