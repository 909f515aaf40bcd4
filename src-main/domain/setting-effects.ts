import type { SettingName } from './settings.ts';

/** When a changed setting counts: for all that happens from now on, or from the next start of the server. */
export const settingEffects: Readonly<Record<SettingName, 'now' | 'next start'>> = {
  limits: 'now',
  port: 'next start',
  extraKeyHeader: 'now',
  allowedHosts: 'next start',
  maxBodyBytes: 'now',
  maxRows: 'now',
  runsAtOnce: 'now',
  rowTimeLimitMs: 'next start',
  workerMemoryMb: 'next start',
  retention: 'now',
  scenarios: 'now',
  profile: 'now',
  proxy: 'next start',
  modelPrices: 'now',
  firstSteps: 'now',
  updates: 'now',
};

/** The port of a server for which neither its start nor the settings name one. */
export const defaultPort = 4170;
