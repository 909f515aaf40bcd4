import type { Middleware } from 'koa';
import { AppError } from '../../src-main/base/app-error.ts';
import type { Clock } from '../../src-main/base/clock.ts';
import { procedures, type Handlers } from '../../src-main/contract/index.ts';
import { createControlApi, type TeamOptions } from '../../src-main/http/control-api/create-control-api.ts';
import { createControlToken } from '../../src-main/http/control-api/control-token.ts';
import { EntryCodes } from '../../src-main/http/control-api/entry-codes.ts';
import type { BrowsersFile } from '../../src-main/domain/paired-browser.ts';
import type { LiveUpdates } from '../../src-main/http/control-api/api/event-stream.ts';
import type { Document } from '../../src-main/services/ports.ts';
import { BrowserService } from '../../src-main/services/access/browser-service.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { FakeClock } from './fake-clock.ts';

type ControlApiOptions = {
  readonly updates?: LiveUpdates;
  readonly entryCodes?: EntryCodes;
  readonly browsers?: BrowserService;
  readonly clock?: Clock;
  readonly team?: TeamOptions;
};

/** The token of every control API that `controlApiWith` makes. */
export const controlToken = createControlToken();

/** A control API that refuses every procedure without a handler of the test's, and where nothing happens. */
export function controlApiWith(
  handlers: Partial<Handlers> = {},
  options: ControlApiOptions = {},
): Middleware {
  return createControlApi({
    token: controlToken,
    handlers: { ...refusing, ...handlers } as Handlers,
    updates: options.updates ?? nothingHappens,
    browsers: options.browsers ?? pairedBrowsers(),
    entryCodes: options.entryCodes ?? new EntryCodes(new FakeClock()),
    routes: [],
    clock: options.clock ?? new FakeClock(),
    team: options.team,
  });
}

/** Browsers of a data folder that exists in memory alone. */
export function pairedBrowsers(clock: Clock = new FakeClock()): BrowserService {
  const document = memoryDocument<BrowsersFile>({ version: 1, folderId: 'folder-1', browsers: [] });
  return new BrowserService({ document, clock, log: silentLog });
}

/** A document that exists in memory alone. */
export function memoryDocument<T extends object>(value: T): Document<T> {
  return {
    get value() {
      return value;
    },
    latest: async () => value,
    update: async (change) => (value = change(value)),
  };
}

const refuse = async (): Promise<never> => {
  throw new AppError('store_degraded', 'This test has no such handler');
};
const refusing: Partial<Handlers> = Object.fromEntries(Object.keys(procedures).map((name) => [name, refuse]));

async function* nothingHappens() {}
