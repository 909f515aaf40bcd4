// Commands of the palette that every screen has. They are loaded when the palette is opened for the first time.
import type { LimitMode } from '#contract';
import { sectionsOf, sectionTitles } from '../settings/settings-sections.ts';
import type { App } from './app.svelte.ts';
import { desktopCommands } from './desktop.ts';
import type { Command } from './rank-commands.ts';
import type { SettingsSection } from './route.ts';
import { themes } from './theme.svelte.ts';

/** Further search terms of the parts of the settings. */
const sectionSearchText: Partial<Record<SettingsSection, string>> = {
  server: 'port address',
  limits: '429 rate limit polling',
  resources: 'workers memory',
  network: 'proxy egress allow hosts',
  secrets: 'password token',
  browsers: 'sign out session link',
  access: 'users roles tokens audit',
  retention: 'delete old runs days',
  folder: 'backup disk space data',
  about: 'version licence update',
};

/** @param showFirstSteps brings the first steps back */
export function productCommands(app: App, showFirstSteps: () => void): readonly Command[] {
  return [
    {
      id: 'create-key',
      section: 'Keys',
      title: 'Create a key',
      words: 'API new add',
      refusal: app.refusal('admin'),
      act: () => app.newKeys.startCreating(),
    },
    ...limitCommands(app),
    {
      id: 'failed-runs',
      section: 'Runs',
      title: 'Show runs with failed rows',
      words: 'error problems',
      act: () => app.router.go({ screen: 'runs', filter: { status: 'with-failures', text: '' } }),
    },
    {
      id: 'refused-calls',
      section: 'API log',
      title: 'Show refused calls',
      words: '429 400 401 errors rate limited',
      act: () => app.router.go({ screen: 'log', filter: { outcome: 'refused', text: '' } }),
    },
    ...snippetCommands(app),
    ...settingsCommands(app),
    {
      id: 'first-steps',
      section: 'Help',
      title: 'Show the first steps',
      words: 'start sample tour help docs guide',
      act: showFirstSteps,
    },
    ...desktopCommands((problem) => app.toasts.problem(problem)),
    {
      id: 'help',
      section: 'Help',
      title: 'Keyboard shortcuts',
      words: 'help docs keys',
      keys: ['?'],
      act: () => (app.overlay = 'help'),
    },
  ];
}

const snippetCommands = (app: App): readonly Command[] =>
  (app.live?.workflows ?? []).map(({ id, name }) => ({
    id: `snippets-${id}`,
    section: 'Snippets',
    title: `Call ${name} from a script`,
    words: `${id} snippet curl python javascript code API`,
    act: () => app.router.go({ screen: 'workflow', workflowId: id, tab: 'snippets' }),
  }));

const settingsCommands = (app: App): readonly Command[] => [
  ...sectionsOf(app.session.user !== undefined).map((section) => ({
    id: `settings-${section}`,
    section: 'Settings',
    title: sectionTitles[section],
    words: `settings ${sectionSearchText[section] ?? ''}`,
    act: () => app.router.go({ screen: 'settings', section }),
  })),
  ...themes.map((theme) => ({
    id: `theme-${theme}`,
    section: 'Appearance',
    title: { system: 'Follow the system', light: 'Light', dark: 'Dark' }[theme],
    words: 'theme colour',
    act: () => app.theme.choose(theme),
  })),
];

/** Limits are turned off and on; the settings have the rest. */
function limitCommands(app: App): readonly Command[] {
  const { live } = app;
  if (live === undefined) return [];
  const { limits: fixedBy } = live.settings.fixedBy;
  const isOff = live.server.limits === 'off';
  const limits: LimitMode = isOff ? 'published' : 'off';
  const message = isOff ? 'Limits are as published' : 'Limits are off';
  return [
    {
      id: 'limits',
      section: 'Limits',
      title: isOff ? 'Turn limits on' : 'Turn limits off',
      words: '429 rate limit published polling on off',
      refusal: fixedBy === undefined ? app.refusal('admin') : `Set by ${fixedBy}`,
      act: () =>
        void app.settingChanges
          .change({ limits }, message)
          .catch((error: unknown) => app.toasts.problem(error)),
    },
  ];
}
