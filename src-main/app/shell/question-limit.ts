// Limits how often a page can make the shell ask the user a question. Who calls: `desktop/open-outside.ts`.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

/** More questions than a user who follows links answers in a minute; too few to keep the user from anything else. */
const maxQuestionsPerMinute = 3;
const minuteMs = 60_000;

/** Asks one question at a time and a few a minute; others are dropped, which is logged once until the next is asked. */
export function createQuestionLimit(clock: Clock, log: Log): (ask: () => Promise<void>) => Promise<void> {
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
