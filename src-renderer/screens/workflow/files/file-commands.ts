// Commands of the palette for the file of a workflow.
import type { Command } from '../../../state/shell/rank-commands.ts';

export type FileDialog = 'review' | 'history' | 'newFile';

type EditorActions = {
  readonly save: () => void;
  readonly open: (dialog: FileDialog) => void;
  readonly revert: () => void;
};

const section = 'Workflow';

export const textCommands = (goToText: () => void, goToNextIssue: () => void): readonly Command[] => [
  { id: 'file-text', section, title: 'Go to the text', words: 'edit YAML file', act: goToText },
  { id: 'file-issue', section, title: 'Next issue', act: goToNextIssue },
];

export const editorCommands = (actions: EditorActions): readonly Command[] => [
  { id: 'file-save', section, title: 'Save the file', act: actions.save },
  { id: 'file-review', section, title: 'Review changes', act: () => actions.open('review') },
  {
    id: 'file-history',
    section,
    title: 'Earlier texts of the file',
    words: 'history restore',
    act: () => actions.open('history'),
  },
  { id: 'file-new', section, title: 'New file of rows or tests…', act: () => actions.open('newFile') },
  { id: 'file-discard', section, title: 'Discard changes', act: actions.revert },
];
