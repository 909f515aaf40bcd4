// The settings and the data folder, as pages see them.
import { admin, adminChange, answer, nothing, viewer } from '../procedure.ts';
import {
  retentionSchema,
  settingsChangeSchema,
  type SettingName,
  type Settings,
} from '../../domain/settings.ts';

export type { SettingName, Settings, SettingsChange, LimitMode } from '../../domain/settings.ts';

export type SettingsView = {
  /** The stored settings, with defaults for the others. */
  readonly stored: Settings;
  /** Changed, and counted from the next start on. */
  readonly waiting: readonly SettingName[];
  /** The option of this start that a setting is fixed by: it counts, and cannot be changed here. */
  readonly fixedBy: Readonly<Partial<Record<SettingName, string>>>;
};

/** The finished runs that retention would remove now with some limits. */
export type RetentionPreview = {
  readonly runs: number;
  /** When the newest of them ended; null where there are none. */
  readonly newest: string | null;
};

export type FolderView = {
  readonly path: string;
  readonly usedBytes: number;
  /** Bytes that can still be written on the folder's disk. */
  readonly freeBytes: number;
};

export const settingsProcedures = {
  'settings.show': viewer(nothing, answer<SettingsView>),
  /** Those that are named; null goes back to the default. Durable once it is answered. */
  'settings.change': adminChange(settingsChangeSchema, answer<SettingsView>),
  /** The runs that retention would remove now with these limits. It removes none. */
  'settings.retention': admin(retentionSchema, answer<RetentionPreview>),
  /** The data folder. The server measures all its files for each call. */
  'settings.folder': viewer(nothing, answer<FolderView>),
};
