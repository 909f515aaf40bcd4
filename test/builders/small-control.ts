import type { Middleware } from 'koa';
import type { Clock } from '../../src-main/base/clock.ts';
import type { Handlers } from '../../src-main/contract/index.ts';
import { createControlApi } from '../../src-main/http/control-api/create-control-api.ts';
import { createControlToken } from '../../src-main/http/control-api/control-token.ts';
import { EntryCodes } from '../../src-main/http/control-api/entry-codes.ts';
import type { LiveUpdates } from '../../src-main/http/control-api/event-stream.ts';
import { FakeClock } from './fake-clock.ts';
import { handlersWith } from './small-handlers.ts';

type Given = { readonly updates?: LiveUpdates; readonly entryCodes?: EntryCodes; readonly clock?: Clock };

/** The token of every control API that `controlApiWith` makes. */
export const controlToken = createControlToken();

/** A control API whose handlers refuse everything but what the test gives, and where nothing happens. */
export function controlApiWith(handlers: Partial<Handlers> = {}, given: Given = {}): Middleware {
  return createControlApi({
    token: controlToken,
    handlers: handlersWith(handlers),
    updates: given.updates ?? nothingHappens,
    entryCodes: given.entryCodes ?? new EntryCodes(new FakeClock()),
    routes: [],
    clock: given.clock ?? new FakeClock(),
  });
}

async function* nothingHappens() {}
