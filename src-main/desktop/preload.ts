// The page's bridge to the shell: the calls of the contract by name, and places to go to. No other channel can be
// reached through it, and no object of Electron's gets into the page.
import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, DesktopCall } from '../contract/index.ts';

const calls: Readonly<Record<DesktopCall, true>> = {
  'pick-workflow': true,
  'show-data-folder': true,
  'reveal-workflow': true,
  'edit-workflow': true,
};

const bridge: DesktopBridge = {
  call: async (name, input) => {
    if (!Object.hasOwn(calls, name)) throw new Error('The app has no such call');
    await ipcRenderer.invoke(`rowbench:${name}`, input);
  },
  onGo: (go) => {
    ipcRenderer.on('rowbench:go', (_event, path: unknown) => go(String(path)));
  },
};
contextBridge.exposeInMainWorld('rowbench', bridge);
