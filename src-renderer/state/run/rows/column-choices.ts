// What the user has chosen about the columns of a workflow's runs, stored in this browser.
import { loadOfWorkflow, saveOfWorkflow, type Store } from '../../stored-by-workflow.ts';

/** Groups of columns from left to right, until the user moves them: outputs, inputs, values of nodes, and how nodes ended. */
export const allColumnGroups = ['output', 'input', 'node', 'cell'] as const;
export type ColumnGroup = (typeof allColumnGroups)[number];

/** Choices about the columns of one workflow. Columns are named by their keys: `input.email`, `output.score`, `node.ask`. */
export type ColumnChoices = {
  /** Keys from left to right; columns that are not listed come after them. */
  readonly order: readonly string[];
  /** Groups from left to right; those that are not listed come after them. */
  readonly groups: readonly ColumnGroup[];
  /** Groups of which only the head is shown. */
  readonly folded: readonly ColumnGroup[];
  /** Key of the column whose values are the labels of rows; undefined: the first text of the input. */
  readonly label?: string;
  readonly hidden: readonly string[];
  readonly pinned: readonly string[];
  /** Ids of nodes whose values are columns. */
  readonly nodes: readonly string[];
  /** Widths of resized columns, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** True if the heads show statistics. */
  readonly hasStatistics: boolean;
};

export const noChoices: ColumnChoices = {
  order: [],
  groups: [],
  folded: [],
  hidden: [],
  pinned: [],
  nodes: [],
  widths: {},
  hasStatistics: false,
};

const storedAs = 'rowbench.run-columns';
export const minColumnWidth = 56;
export const maxColumnWidth = 800;

export const loadChoices = (workflowId: string, store?: Store): ColumnChoices =>
  choicesOf(loadOfWorkflow(storedAs, workflowId, store));

export const saveChoices = (workflowId: string, choices: ColumnChoices, store?: Store): void =>
  saveOfWorkflow(storedAs, [workflowId, choices], store);

function choicesOf(value: unknown): ColumnChoices {
  const stored: Partial<Record<keyof ColumnChoices, unknown>> = isObject(value) ? value : {};
  return {
    order: texts(stored.order),
    groups: columnGroupsIn(stored.groups),
    folded: columnGroupsIn(stored.folded),
    ...(typeof stored.label === 'string' ? { label: stored.label } : {}),
    hidden: texts(stored.hidden),
    pinned: texts(stored.pinned),
    nodes: texts(stored.nodes),
    widths: Object.fromEntries(widthsIn(stored.widths)),
    hasStatistics: stored.hasStatistics === true,
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];

/** Each group once, in the order of the list. */
const columnGroupsIn = (list: unknown): readonly ColumnGroup[] =>
  [...new Set(texts(list))].filter((each): each is ColumnGroup =>
    allColumnGroups.some((known) => known === each),
  );

const widthsIn = (widths: unknown): readonly (readonly [string, number])[] =>
  Object.entries(isObject(widths) ? widths : {}).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === 'number' && entry[1] >= minColumnWidth && entry[1] <= maxColumnWidth,
  );
