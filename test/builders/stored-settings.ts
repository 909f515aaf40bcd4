import type { SettingsView } from '../../src-main/contract/index.ts';
import { defaultSettings, type Settings } from '../../src-main/domain/settings.ts';

/** Settings as pages see them: the defaults but for what is given. */
export const storedSettings = (overrides: Partial<Settings> = {}): SettingsView => ({
  stored: { ...defaultSettings, ...overrides },
  waiting: [],
  fixedBy: {},
});
