// The page's calls to the shell. The sender and the input of each call are checked first.
import { dirname } from 'node:path';
import type { IpcMainInvokeEvent } from 'electron';
import { z } from 'zod';
import { askFirst, type Question } from '../app/shell/ask-first.ts';
import { confirmedCalls, type DesktopCall, type DesktopCalls, type Handlers } from '../contract/index.ts';
import type { ElectronApi } from './electron-api.ts';
import { importPath, pathOfFile } from '../app/shell/app-path.ts';

type Deps = Pick<ElectronApi, 'ipcMain' | 'shell' | 'dialog'> & {
  readonly origin: string;
  readonly contentsId: () => number | undefined;
  readonly dataDir: string;
  readonly handlers: Handlers;
  readonly go: (path: string) => void;
};
type Calls = { readonly [Name in DesktopCall]: (input: DesktopCalls[Name]) => Promise<void> };

const nothing = z.strictObject({});
const oneWorkflow = z.strictObject({ workflowId: z.string().min(1).max(64) });
const inputs = {
  'pick-workflow': nothing,
  'show-data-folder': nothing,
  'reveal-workflow': oneWorkflow,
  'edit-workflow': oneWorkflow,
} as const;

/** Answers the channels of the contract. */
export function answerBridge(deps: Deps): void {
  const calls = callsOf(deps);
  for (const name of Object.keys(inputs) as DesktopCall[]) {
    answer(deps, name, async (...[input, ...more]) => {
      const parsed = inputs[name].safeParse(input);
      if (!parsed.success || more.length > 0) throw new Error('The call has other arguments');
      await (calls[name] as (input: unknown) => Promise<void>)(parsed.data);
    });
  }
  for (const name of confirmedCalls)
    answer(deps, name, async (...[input, ...more]) => {
      if (more.length > 0) throw new Error('The call has other arguments');
      return askFirst(name, input, {
        handlers: deps.handlers,
        agrees: (question) => agrees(deps, question),
      });
    });
}

function answer(deps: Deps, name: string, call: (...input: unknown[]) => Promise<unknown>): void {
  deps.ipcMain.handle(`rowbench:${name}`, async (event, ...input: unknown[]) => {
    if (!isOurPage(event, deps)) throw new Error('Only the page of the app may call this');
    return call(...input);
  });
}

/** Asks in a dialog of the system; cancelling is the default. */
export async function agrees(
  { dialog }: Pick<ElectronApi, 'dialog'>,
  { message, detail, verb }: Question,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message,
    detail,
    buttons: [verb, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** The top frame of our window, while it shows our own origin. */
const isOurPage = ({ sender, senderFrame }: IpcMainInvokeEvent, { origin, contentsId }: Deps): boolean =>
  sender.id === contentsId() && senderFrame?.parent === null && senderFrame.origin === origin;

function callsOf({ shell, dialog, dataDir, handlers, go }: Deps): Calls {
  const fileOf = async (workflowId: string): Promise<string | undefined> =>
    (await handlers['workflow.list']({})).find(({ id }) => id === workflowId)?.file;
  return {
    'pick-workflow': async () => {
      const path = await pickWorkflow(dialog);
      if (path !== undefined) go(path);
    },
    'show-data-folder': async () => {
      await shell.openPath(dataDir);
    },
    'reveal-workflow': async ({ workflowId }) => {
      const file = await fileOf(workflowId);
      if (file !== undefined) shell.showItemInFolder(file);
    },
    'edit-workflow': async ({ workflowId }) => {
      const file = await fileOf(workflowId);
      if (file === undefined || pathOfFile(file) === undefined) return;
      // A system without a program for such files says so in a text; then its folder is of use.
      if ((await shell.openPath(file)) !== '') await shell.openPath(dirname(file));
    },
  };
}

/** The place in the app that offers to import the file that the user picks. */
export async function pickWorkflow(dialog: ElectronApi['dialog']): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Import a workflow',
    properties: ['openFile'],
    filters: [{ name: 'Workflow files', extensions: ['yaml', 'yml'] }],
  });
  return filePaths.map(importPath)[0];
}
