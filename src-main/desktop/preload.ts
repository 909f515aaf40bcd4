// The page's bridge to the shell: the contract's calls by name, and paths to navigate to. The page reaches no other
// channel through it and gets no Electron object.
import { contextBridge, ipcRenderer } from 'electron';
import type { ConfirmedCall, CallAfterConfirmation, DesktopBridge, DesktopCall } from '../contract/index.ts';

// Written out, since a sandboxed preload loads no other file.
const channels: Readonly<Record<DesktopCall | ConfirmedCall, true>> = {
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
  ask: invoke as CallAfterConfirmation,
  onGo: (go) => {
    ipcRenderer.on('rowbench:go', (_event, path: unknown) => go(String(path)));
  },
};
contextBridge.exposeInMainWorld('rowbench', bridge);
