import {
  retentionSchema,
  settingsChangeSchema,
  type Settings,
  type SettingsChange,
} from '../domain/settings.ts';
import { nothing, procedure, type Nothing } from './procedure.ts';
import type { FolderView, RetentionPreview, SettingsView } from './settings-view.ts';

export const settingsProcedures = {
  'settings.show': procedure<Nothing, SettingsView>(nothing),
  /** Those that are named; null goes back to the default. Durable once it is answered. */
  'settings.change': procedure<SettingsChange, SettingsView>(settingsChangeSchema),
  /** The runs that retention would remove now with these limits. It removes none. */
  'settings.retention': procedure<Settings['retention'], RetentionPreview>(retentionSchema),
  /** The data folder. The server measures all its files for each call. */
  'settings.folder': procedure<Nothing, FolderView>(nothing),
};
