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
  /** What these bounds would take away now; nothing is. */
  'settings.retention': procedure<Settings['retention'], RetentionPreview>(retentionSchema),
  /** The data folder. It is measured for each call, which takes a while for many runs. */
  'settings.folder': procedure<Nothing, FolderView>(nothing),
};
