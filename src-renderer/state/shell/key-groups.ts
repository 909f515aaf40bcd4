// All keys of the app by screen, for the help sheet, which loads them when it is opened. It imports types alone: the
// bundler would divide the first screen's file by what both share.
import type * as keyMap from './key-map.ts';

type KeyMap = Pick<typeof keyMap, 'compareKey' | 'destinations' | 'newRunKey' | 'newWorkflowKey'>;

type KeyGroup = {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
};

const arrows = ['←', '↑', '↓', '→'];

const everywhere = (control: string, { destinations, newRunKey }: KeyMap): readonly KeyGroup[] => [
  {
    title: 'Everywhere',
    keys: [
      { keys: [control, 'K'], does: 'Search or run a command' },
      { keys: [newRunKey], does: 'New run' },
      ...destinations.map(({ key, title }) => ({ keys: ['G', key], does: `Go to ${title}` })),
      { keys: ['?'], does: 'This sheet' },
      { keys: ['Esc'], does: 'Close' },
    ],
  },
];

const onScreens = (control: string, { compareKey }: KeyMap): readonly KeyGroup[] => [
  {
    title: 'In the list of runs',
    keys: [
      { keys: ['J'], does: 'Next run' },
      { keys: ['K'], does: 'Previous run' },
      { keys: ['↵'], does: 'Open the run' },
      { keys: ['→'], does: 'Show the attempts of the chain; ← hides them' },
      { keys: ['X'], does: 'Select or unselect' },
      { keys: ['P'], does: 'Pin or unpin' },
      { keys: [compareKey], does: 'Compare the two selected' },
      { keys: [control, 'A'], does: 'Select all that are shown' },
      { keys: ['/'], does: 'Filter' },
    ],
  },
  {
    title: 'In the causes of failures',
    keys: [
      { keys: ['J'], does: 'Next cause' },
      { keys: ['K'], does: 'Previous cause' },
      { keys: ['↵'], does: 'Open or close the cause' },
    ],
  },
  {
    title: 'In the rows of a run',
    keys: [
      { keys: arrows, does: 'Move; above the first row to the heads' },
      { keys: ['↵'], does: 'Show the row, or the trace of its node; on a head: sort' },
      { keys: ['Space'], does: 'Select or unselect' },
      { keys: ['⇧', '↓'], does: 'Select the next row too' },
      { keys: [control, 'A'], does: 'Select all rows' },
      { keys: [control, 'C'], does: 'Copy the selected rows' },
      { keys: ['/'], does: 'Search in all rows, or go to a row by its number' },
      { keys: ['N'], does: 'Next failed row' },
      { keys: ['P'], does: 'Previous failed row' },
      { keys: ['T'], does: 'Times or values of nodes' },
      { keys: ['1'], does: 'Go to the first group of columns, or fold it; 2 and 3 the next ones' },
      { keys: ['Alt', '↓'], does: 'On a head: its menu' },
      { keys: ['⇧', '→'], does: 'On a head: wider' },
      { keys: ['⇧', 'Alt', '→'], does: 'On a head: move the column' },
    ],
  },
];

const inLog: KeyGroup = {
  title: 'In the API log',
  keys: [
    { keys: ['J'], does: 'Next call' },
    { keys: ['K'], does: 'Previous call' },
    { keys: ['↵'], does: 'Open the call' },
    { keys: ['P'], does: 'Pause or follow' },
    { keys: ['/'], does: 'Filter' },
  ],
};

const onRunPage: KeyGroup = {
  title: 'On the page of a run',
  keys: [
    { keys: ['F'], does: 'Fix the open rows' },
    { keys: ['E'], does: 'Export' },
    { keys: ['W'], does: 'Rows: all, or those of this attempt' },
  ],
};

const inComparison: KeyGroup = {
  title: 'In a comparison of runs',
  keys: [
    { keys: ['J'], does: 'Next row' },
    { keys: ['K'], does: 'Previous row' },
    { keys: ['↵'], does: 'Show the row beside the table' },
    { keys: ['S'], does: 'Swap the runs' },
    { keys: ['R'], does: 'Compare again' },
  ],
};

const inWorkflowFile = (control: string): KeyGroup => ({
  title: 'In the file of a workflow',
  keys: [
    { keys: ['E'], does: 'Go to the text' },
    { keys: [control, 'S'], does: 'Save the file' },
    { keys: [control, '⇧', 'S'], does: 'Review changes' },
    { keys: [control, '⇧', '↵'], does: 'Save and run the test rows' },
    { keys: ['['], does: 'Preview the previous row; outside of the text' },
    { keys: [']'], does: 'Preview the next row' },
    { keys: ['F6'], does: 'Next pane: graph, file, tabs' },
    { keys: ['⇧', 'F6'], does: 'Previous pane' },
    { keys: ['F8'], does: 'Next issue' },
    { keys: ['⇧', 'F8'], does: 'Previous issue' },
    { keys: [control, '.'], does: 'Fix the issue' },
    { keys: [control, 'Space'], does: 'Complete' },
    { keys: [control, ';'], does: 'Show or hide the values at line ends' },
    { keys: ['F12'], does: 'Go to the definition' },
    { keys: ['⇧', 'F12'], does: 'Show references' },
    { keys: ['F2'], does: 'Rename the node or field in all files' },
    { keys: ['⇧', 'F2'], does: 'Extract the expression to a set node; in a form too' },
    { keys: [control, 'Z'], does: 'Undo' },
    { keys: [control, '⇧', 'Z'], does: 'Redo' },
  ],
});

const onWorkflows = (control: string, { newWorkflowKey }: KeyMap): readonly KeyGroup[] => [
  {
    title: 'In the list of workflows',
    keys: [
      { keys: ['J'], does: 'Next workflow' },
      { keys: ['K'], does: 'Previous workflow' },
      { keys: ['↵'], does: 'Open the workflow' },
      { keys: ['→'], does: 'To its last run and Run…' },
      { keys: [newWorkflowKey], does: 'New workflow' },
      { keys: ['/'], does: 'Filter' },
    ],
  },
  {
    title: 'In the graph of a workflow',
    keys: [
      { keys: ['←', '→'], does: 'Along an edge' },
      { keys: ['↑', '↓'], does: 'To the next node beside it' },
      { keys: ['+', '-'], does: 'Zoom in, zoom out' },
      { keys: ['0'], does: 'Show all' },
      { keys: [control, '→'], does: 'Move the picture' },
      { keys: ['⇧', '→'], does: 'Choose several nodes, or ⇧ click' },
      { keys: [control, 'A'], does: 'Choose all nodes' },
    ],
  },
  {
    title: 'In the graph while the workflow is edited',
    keys: [
      { keys: ['A'], does: 'Add a node behind this one' },
      { keys: ['I'], does: 'Insert a node on an edge' },
      { keys: ['C'], does: 'Connect to another node' },
      { keys: ['X'], does: 'Disconnect' },
      { keys: ['F2'], does: 'Rename in all files' },
      { keys: ['D'], does: 'Duplicate' },
      { keys: ['L'], does: 'Inline the values of a set node' },
      { keys: ['Del'], does: 'Delete the chosen nodes, or cut the edge' },
      { keys: ['Alt', '↑'], does: 'Earlier in the file' },
      { keys: ['Alt', '↓'], does: 'Later in the file' },
      { keys: [control, 'C'], does: 'Copy as text; with X and V cut and paste' },
      { keys: ['↵'], does: 'Go to its form, or into its body' },
      { keys: ['U'], does: 'Leave the body of a node' },
      { keys: ['M'], does: 'Move a body to a workflow of its own, or the called workflow in' },
      { keys: ['E'], does: 'Go to its text' },
      { keys: ['⇧', 'F10'], does: 'Show what can be done' },
    ],
  },
  inWorkflowFile(control),
];

const inEntry = (control: string): readonly KeyGroup[] => [
  {
    title: 'Where rows are entered',
    keys: [{ keys: [control, '↵'], does: 'Run the rows' }],
  },
  {
    title: 'In the grid of rows',
    keys: [
      { keys: arrows, does: 'Move; with Shift to select' },
      { keys: [control, '→'], does: 'To the edge' },
      { keys: ['↵'], does: 'Edit the cell; typing replaces it' },
      { keys: ['Tab'], does: 'Next cell' },
      { keys: ['Del'], does: 'Empty the selected cells' },
      { keys: [control, 'D'], does: 'Fill down' },
      { keys: [control, 'C'], does: 'Copy, for a spreadsheet too' },
      { keys: [control, 'V'], does: 'Paste cells' },
      { keys: [control, 'F'], does: 'Find in cells' },
      { keys: [control, 'H'], does: 'Replace in cells' },
      { keys: [control, 'Z'], does: 'Undo' },
      { keys: [control, 'Y'], does: 'Redo' },
      { keys: [control, 'A'], does: 'Select all' },
      { keys: ['⇧', 'Space'], does: 'Select rows' },
      { keys: [control, 'Space'], does: 'Select columns' },
      { keys: ['⇧', 'Alt', '↑'], does: 'Move rows up' },
      { keys: ['⇧', 'Alt', '↓'], does: 'Move rows down' },
      { keys: ['⇧', 'Alt', '←'], does: 'Move columns left' },
      { keys: ['⇧', 'Alt', '→'], does: 'Move columns right' },
      { keys: ['⇧', 'F10'], does: 'Show what can be done' },
    ],
  },
];

/** @param control label of the command key, `Ctrl` or `⌘` */
export const keyGroups = (control: string, keys: KeyMap): readonly KeyGroup[] => [
  ...everywhere(control, keys),
  ...inEntry(control),
  ...onScreens(control, keys),
  inLog,
  onRunPage,
  inComparison,
  ...onWorkflows(control, keys),
];
