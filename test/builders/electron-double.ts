// Electron as far as the desktop shell uses it, without its binary: what is set is kept, and a test plays what the
// system would do. Held to Electron's own types where the shell hands it in.
import { EventEmitter } from 'node:events';
import type { ElectronApi } from '../../src-main/desktop/electron-api.ts';

type Handler = (...args: never[]) => unknown;

/** Emits like Electron: listeners get an event whose default can be prevented. */
class DoubleEmitter extends EventEmitter {
  /** Emits an event. True if a listener prevented its default. */
  fire(name: string, fields: object = {}, ...rest: unknown[]): boolean {
    let isPrevented = false;
    this.emit(name, { ...fields, preventDefault: () => (isPrevented = true) }, ...rest);
    return isPrevented;
  }
}

/** Keeps what each `setX` or `onX` was given. */
export class SessionDouble extends DoubleEmitter {
  readonly handlers = new Map<string, Handler>();
  readonly webRequest = { onBeforeSendHeaders: this.#keep('onBeforeSendHeaders') };
  readonly setPermissionRequestHandler = this.#keep('permission-request');
  readonly setPermissionCheckHandler = this.#keep('permission-check');
  readonly setDevicePermissionHandler = this.#keep('device');
  readonly setDisplayMediaRequestHandler = this.#keep('display-media');
  readonly setBluetoothPairingHandler = this.#keep('bluetooth');

  /** Calls what was set; gives its answer, by a callback or as a value. */
  ask(name: string, ...args: unknown[]): unknown {
    let answer: unknown;
    const withCallback = args.map((each) =>
      each === answerHere ? (value: unknown) => (answer = value) : each,
    );
    const value = this.handlers.get(name)?.(...(withCallback as never[]));
    return answer ?? value;
  }

  #keep(name: string): (handler: Handler) => void {
    return (handler) => void this.handlers.set(name, handler);
  }
}

/** Placeholder of a callback in the arguments of `SessionDouble.ask`. */
export const answerHere = Symbol('the answer');

let lastId = 0;

export class ContentsDouble extends DoubleEmitter {
  readonly id = ++lastId;
  readonly sent: unknown[][] = [];
  reloads = 0;
  openHandler: ((details: { url: string }) => { action: string }) | undefined;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  send(...message: unknown[]): void {
    this.sent.push(message);
  }
  reload(): void {
    this.reloads += 1;
  }
}

export class WindowDouble extends DoubleEmitter {
  static readonly made: WindowDouble[] = [];
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents = new ContentsDouble();
  readonly progress: number[] = [];
  url = '';
  isShown = false;
  isGone = false;
  hasFocus = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    WindowDouble.made.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
  }
  show(): void {
    this.isShown = true;
  }
  focus(): void {
    this.hasFocus = true;
  }
  isFocused(): boolean {
    return this.hasFocus;
  }
  isMinimized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return this.isGone;
  }
  destroy(): void {
    this.isGone = true;
  }
  setProgressBar(progress: number): void {
    this.progress.push(progress);
  }
}

class AppDouble extends DoubleEmitter {
  readonly calls: string[] = [];
  readonly paths = new Map([['appData', '/users/data']]);
  isPackaged = true;
  isFirst = true;
  login = { openAtLogin: false };

  requestSingleInstanceLock(): boolean {
    return this.isFirst;
  }
  async whenReady(): Promise<void> {
    this.calls.push('ready');
  }
  enableSandbox(): void {
    this.calls.push('sandbox');
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    this.calls.push(`protocol ${scheme}`);
    return true;
  }
  getPath(name: string): string {
    return this.paths.get(name) ?? '';
  }
  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }
  getVersion(): string {
    return '1.2.3';
  }
  getLoginItemSettings(): { openAtLogin: boolean } {
    return this.login;
  }
  setLoginItemSettings(login: { openAtLogin: boolean }): void {
    this.login = login;
  }
  quit(): void {
    if (!this.fire('before-quit')) this.calls.push('quit');
  }
  exit(code: number): void {
    this.calls.push(`exit ${code}`);
  }
}

/** Answers dialogs by the script that a test writes. */
class DialogDouble {
  readonly shown: Electron.MessageBoxOptions[] = [];
  /** Buttons to press, by their labels, in order; without one the cancelling one. */
  readonly presses: string[] = [];
  readonly picks: string[] = [];

  async showMessageBox(options: Electron.MessageBoxOptions): Promise<{ response: number }> {
    this.shown.push(options);
    const press = this.presses.shift();
    const response = options.buttons?.findIndex((label) => label === press) ?? -1;
    return { response: response >= 0 ? response : (options.cancelId ?? 0) };
  }
  async showOpenDialog(): Promise<{ filePaths: string[] }> {
    return { filePaths: this.picks.splice(0, 1) };
  }
}

export type ElectronDouble = ReturnType<typeof electronDouble>;

/** A fresh system: nothing opened, nothing shown. */
export function electronDouble() {
  WindowDouble.made.length = 0;
  const channels = new Map<string, (event: unknown, ...args: unknown[]) => Promise<void>>();
  const opened: string[] = [];
  const notifications: { title: string; body: string; click: () => void }[] = [];
  const trays: TrayDouble[] = [];
  const blockers = new Set<number>();
  const menus: Electron.MenuItemConstructorOptions[][] = [];
  class TrayDouble extends DoubleEmitter {
    toolTip = '';
    menu: Electron.MenuItemConstructorOptions[] = [];
    isGone = false;
    constructor() {
      super();
      trays.push(this);
    }
    setToolTip(text: string): void {
      this.toolTip = text;
    }
    setContextMenu(menu: Electron.MenuItemConstructorOptions[]): void {
      this.menu = menu;
    }
    destroy(): void {
      this.isGone = true;
    }
  }
  class NotificationDouble extends DoubleEmitter {
    static isSupported = (): boolean => true;
    readonly #options: { title: string; body: string };
    constructor(options: { title: string; body: string }) {
      super();
      this.#options = options;
    }
    show(): void {
      notifications.push({ ...this.#options, click: () => void this.fire('click') });
    }
  }
  const image = { resize: () => image };
  const safeStorage = {
    backend: 'gnome_libsecret',
    isAvailable: true,
    getSelectedStorageBackend: () => safeStorage.backend,
    isAsyncEncryptionAvailable: async () => safeStorage.isAvailable,
    encryptStringAsync: async (text: string) => Buffer.from(text, 'utf8').map((byte) => byte ^ 0x55),
    decryptStringAsync: async (bytes: Buffer) => ({
      result: Buffer.from(bytes.map((byte) => byte ^ 0x55)).toString('utf8'),
      shouldReEncrypt: false,
    }),
  };
  const session = new SessionDouble();
  const parts = {
    app: new AppDouble(),
    BrowserWindow: WindowDouble,
    dialog: new DialogDouble(),
    ipcMain: {
      handle: (name: string, handler: (event: unknown) => Promise<void>) => channels.set(name, handler),
    },
    Menu: {
      buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) => template,
      setApplicationMenu: (menu: Electron.MenuItemConstructorOptions[]) => menus.push(menu),
    },
    nativeImage: { createFromPath: () => image },
    Notification: NotificationDouble,
    powerMonitor: new DoubleEmitter(),
    powerSaveBlocker: {
      start: () => {
        blockers.add(1);
        return 1;
      },
      stop: (id: number) => blockers.delete(id),
    },
    safeStorage,
    session: { defaultSession: session },
    shell: {
      openExternal: async (address: string) => void opened.push(address),
      openPath: async (path: string) => {
        opened.push(path);
        return '';
      },
      showItemInFolder: (path: string) => void opened.push(path),
    },
    Tray: TrayDouble,
    utilityProcess: { fork: () => undefined },
  };
  return {
    ...parts,
    /** As the shell takes it. */
    parts: parts as unknown as ElectronApi,
    session,
    channels,
    opened,
    notifications,
    trays,
    blockers,
    menus,
  };
}
