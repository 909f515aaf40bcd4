// The one way from the app to the user's browser or mail program. The address is shown before it is opened: a script
// that got into a page must not be able to carry data out silently.
import { outsideAddress } from '../app/shell/outside-address.ts';
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

// Limits how often a page can make the shell ask the user a question.

/** More questions than a user who follows links answers in a minute; too few to keep the user from anything else. */
const maxQuestionsPerMinute = 3;
const minuteMs = 60_000;

/** Asks one question at a time and a few a minute; others are dropped, which is logged once until the next is asked. */
function createQuestionLimit(clock: Clock, log: Log): (ask: () => Promise<void>) => Promise<void> {
  let isAsking = false;
  let isLogged = false;
  let questionTimes: readonly number[] = [];
  return async (ask) => {
    const now = clock.monotonic();
    questionTimes = questionTimes.filter((at) => now - at < minuteMs);
    if (isAsking || questionTimes.length >= maxQuestionsPerMinute) {
      if (!isLogged) log.warn({}, 'a page asks more questions than are shown to the user');
      isLogged = true;
      return;
    }
    questionTimes = [...questionTimes, now];
    isAsking = true;
    isLogged = false;
    await ask().finally(() => (isAsking = false));
  };
}
