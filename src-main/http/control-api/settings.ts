// Procedures on settings and on the data folder.
import type { FolderView, Handlers } from '../../contract/index.ts';
import type { RunService } from '../../services/run-service.ts';
import type { SettingsService } from '../../services/settings-service.ts';

export type SettingsDeps = {
  readonly settingsService: SettingsService;
  readonly runs: RunService;
  /** Measures the data folder and its disk. Throws `data_unreadable`. */
  readonly measureFolder: () => Promise<FolderView>;
};

export const createSettingsHandlers = ({ settingsService, runs, measureFolder }: SettingsDeps) =>
  ({
    'settings.show': async () => settingsService.show(),
    'settings.change': (change) => settingsService.change(change),
    'settings.retention': async (bounds) => runs.retention.preview(bounds),
    'settings.folder': () => measureFolder(),
  }) satisfies Partial<Handlers>;
