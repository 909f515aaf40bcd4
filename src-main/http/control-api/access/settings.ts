// Procedures on settings and on the data folder.
import type { Handlers } from '../../../contract/index.ts';
import type { Services } from '../../../services/services.ts';

export const createSettingsHandlers = ({ access, runs: { runs } }: Services) =>
  ({
    'settings.show': async () => access.settingsService.show(),
    'settings.change': (change) => access.settingsService.change(change),
    'settings.retention': async (bounds) => runs.retention.preview(bounds),
    'settings.folder': () => access.measureFolder(),
  }) satisfies Partial<Handlers>;
