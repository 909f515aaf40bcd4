// The page's bridge to the shell: the calls of the contract by name, and places to go to. No other channel can be
// reached through it, and no object of Electron's gets into the page.
import { contextBridge, ipcRenderer } from 'electron';
import type { AskedCall, Ask, DesktopBridge, DesktopCall } from '../contract/index.ts';

// Written out, since a sandboxed preload loads no other file.
const channels: Readonly<Record<DesktopCall | AskedCall, true>> = {
  'pick-workflow': true,
  'show-data-folder': true,
  'reveal-workflow': true,
  'edit-workflow': true,
  'workflow.trust': true,
  'workflow.grant': true,
  'workflow.import': true,
};

async function invoke(name: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(channels, name)) throw new Error('The app has no such call');
  return ipcRenderer.invoke(`rowbench:${name}`, input);
}

const bridge: DesktopBridge = {
  call: async (name, input) => void (await invoke(name, input)),
  ask: invoke as Ask,
  onGo: (go) => {
    ipcRenderer.on('rowbench:go', (_event, path: unknown) => go(String(path)));
  },
};
contextBridge.exposeInMainWorld('rowbench', bridge);
