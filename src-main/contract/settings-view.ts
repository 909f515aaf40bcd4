// The settings and the data folder, as pages see them.
import type { SettingName, Settings } from '../domain/settings.ts';

export type { SettingName, Settings, SettingsChange, LimitMode } from '../domain/settings.ts';

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
