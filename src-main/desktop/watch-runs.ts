// Connects the server's runs to the tray, the notifications and the quit question.
import type { RunningApp } from '../app/start-app.ts';
import type { DesktopOptions } from './desktop-options.ts';
import type { ElectronApi } from './electron-api.ts';
import { EndNotices, type Notice } from '../app/shell/end-notices.ts';
import type { MainWindow } from './main-window.ts';
import { QuitGuard } from './quit-guard.ts';
import { RunSigns } from './run-signs.ts';
import { RunWatch } from '../app/shell/run-watch.ts';

type Options = DesktopOptions & { readonly server: RunningApp };

/** How many runs the app knows of at its start; there are seldom more unfinished ones. */
const runsAtStart = 1000;
/** Between two looks at the runs while they change. */
const showEveryMs = 500;

/** Ties the signs, the notifications and the quit question to the runs of the server. */
export function watchRuns(electron: ElectronApi, options: Options, window: MainWindow): QuitGuard {
  const { server, clock, log, icon } = options;
  const notices = new EndNotices(clock, (notice) => notify(electron, window, notice));
  const watch = new RunWatch((run) => {
    if (!window.isLookedAt) notices.add(run);
  });
  const verbs = {
    open: () => window.show(),
    pauseAll: () =>
      void pauseAll(server).catch((error: unknown) => log.warn({ error }, 'runs could not be paused')),
    quit: () => electron.app.quit(),
  };
  const signs = new RunSigns({ ...electron, window, icon, verbs });
  const guard = new QuitGuard({
    ...electron,
    active: () => watch.summary.active,
    close: async () => {
      signs.remove();
      await server.close();
    },
  });
  let isDue = false;
  const update = (): void => {
    isDue = false;
    signs.show(watch.summary);
    guard.runsChanged();
  };
  const changed = (): void => {
    if (!isDue) clock.setTimer(showEveryMs, update);
    isDue = true;
  };
  watch.follow(server.services.runs.runs, changed);
  server.handlers['run.list']({ limit: runsAtStart })
    .then((runs) => {
      for (const run of runs) watch.hear(run);
      update();
    })
    .catch((error: unknown) => log.error({ error }, 'runs could not be listed'));
  return guard;
}

async function pauseAll({ handlers }: RunningApp): Promise<void> {
  for (const status of ['queued', 'running'] as const)
    await handlers['run.bulk']({ verb: 'pause', filter: { status } });
}

function notify({ Notification }: ElectronApi, window: MainWindow, { title, body, path }: Notice): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  notification.on('click', () => window.show(path));
  notification.show();
}
