import { newWorkflowKey } from './key-map.ts';
import type { Command } from './rank-commands.ts';

/** Commands that bring workflows in. The list of workflows opens its dialogs itself; from elsewhere they lead to it. */
export const workflowCommands = (
  create: () => void,
  importFiles: () => void,
  { isListShown, refusal }: { readonly isListShown: boolean; readonly refusal: string | undefined },
): readonly Command[] => [
  {
    id: 'new-workflow',
    section: 'Workflows',
    title: 'New workflow…',
    words: 'create template curl rows empty',
    ...(isListShown ? { keys: [newWorkflowKey] } : {}),
    refusal,
    act: create,
  },
  { id: 'import', section: 'Workflows', title: 'Import a workflow…', refusal, act: importFiles },
];
