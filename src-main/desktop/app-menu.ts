// The native menu: the platform's own verbs, and the app's places with accelerators.
import type { MenuItemConstructorOptions } from 'electron';

export type MenuVerbs = {
  readonly go: (path: string) => void;
  readonly importWorkflow: () => void;
  readonly showDataFolder: () => void;
  readonly explainSecrets: () => void;
  readonly about: () => void;
  /** Undefined where the app is not one that is installed. */
  readonly lookForUpdates: (() => void) | undefined;
  readonly opensAtLogin: boolean;
  readonly openAtLogin: (isOn: boolean) => void;
};

const goItems = [
  ['Runs', '/runs'],
  ['Workflows', '/workflows'],
  ['API log', '/log'],
  ['Keys', '/keys'],
] as const;

/** For Electron's `Menu.buildFromTemplate`. */
export function appMenu(verbs: MenuVerbs, isMac: boolean): MenuItemConstructorOptions[] {
  const settings: MenuItemConstructorOptions = {
    label: 'Settings…',
    accelerator: 'CmdOrCtrl+,',
    click: () => verbs.go('/settings'),
  };
  const login: MenuItemConstructorOptions = {
    label: 'Open at login',
    type: 'checkbox',
    checked: verbs.opensAtLogin,
    click: ({ checked }) => verbs.openAtLogin(checked),
  };
  const about: MenuItemConstructorOptions = { label: 'About Rowbench', click: verbs.about };
  const { lookForUpdates } = verbs;
  const updates: MenuItemConstructorOptions[] =
    lookForUpdates === undefined ? [] : [{ label: 'Look for a new version…', click: lookForUpdates }];
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const own: MenuItemConstructorOptions[] = [
    about,
    ...updates,
    line,
    settings,
    login,
    line,
    { role: 'hide' },
    { role: 'hideOthers' },
    line,
    { role: 'quit' },
  ];
  const file: MenuItemConstructorOptions[] = [
    { label: 'Import workflow…', accelerator: 'CmdOrCtrl+O', click: verbs.importWorkflow },
    { label: 'Show data folder', click: verbs.showDataFolder },
    line,
    { role: 'close' },
    ...(isMac ? [] : [line, settings, login, line, { role: 'quit' } as const]),
  ];
  return [
    ...(isMac ? [{ label: 'Rowbench', submenu: own }] : []),
    { label: '&File', submenu: file },
    { role: 'editMenu' },
    { label: '&View', submenu: viewMenu() },
    { label: '&Go', submenu: goMenu(verbs) },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'How secrets are kept', click: verbs.explainSecrets },
        ...(isMac ? [] : [line, ...updates, about]),
      ],
    },
  ];
}

const viewMenu = (): MenuItemConstructorOptions[] => [
  { role: 'reload' },
  { type: 'separator' },
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  { type: 'separator' },
  { role: 'togglefullscreen' },
];

const goMenu = ({ go }: MenuVerbs): MenuItemConstructorOptions[] =>
  goItems.map(([label, path], index) => ({
    label,
    accelerator: `CmdOrCtrl+${index + 1}`,
    click: () => go(path),
  }));
