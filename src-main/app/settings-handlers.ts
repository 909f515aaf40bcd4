// The control API's verbs on settings and on the data folder.
import type { Handlers } from '../contract/index.ts';
import type { RunService } from '../services/run-service.ts';
import type { SettingsService } from '../services/settings-service.ts';
import type { DataFolder } from '../storage/data-folder.ts';

type SettingsHandlers = Pick<Handlers, Extract<keyof Handlers, `settings.${string}`>>;

type SettingsHandlerParts = {
  readonly settingsService: SettingsService;
  readonly runs: RunService;
  readonly folder: DataFolder;
};

export function createSettingsHandlers({
  settingsService,
  runs,
  folder,
}: SettingsHandlerParts): SettingsHandlers {
  return {
    'settings.show': async () => settingsService.show(),
    'settings.change': (change) => settingsService.change(change),
    'settings.retention': async (bounds) => runs.retention.preview(bounds),
    'settings.folder': async () => ({ path: folder.path, ...(await folder.measure()) }),
  };
}
