// Calls to the HTTP interface: their limits, faults on request, and their log.
import type { Platform } from '../platform.ts';
import { ApiFaults } from './api-faults.ts';
import { CallLog } from './call-log.ts';
import { LimitService } from './limit-service.ts';
import { ReplayTokens } from './replay-tokens.ts';

export type ApiRoom = ReturnType<typeof openApi>;

export const openApi = ({ clock, log, settings, backend: { windows } }: Platform) => ({
  limits: new LimitService({ windows, mode: () => settings().limits }),
  apiFaults: new ApiFaults(),
  callLog: new CallLog({ log }),
  replayTokens: new ReplayTokens(clock),
});
