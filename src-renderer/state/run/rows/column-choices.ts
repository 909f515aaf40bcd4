// What the user has chosen about the columns of a workflow's runs, kept in this browser.

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
/** Maximum workflows whose choices are kept; the oldest are dropped. */
const maxWorkflows = 50;
export const minColumnWidth = 56;
export const maxColumnWidth = 800;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

export function loadChoices(workflowId: string, store: Store = localStorage): ColumnChoices {
  return read(store).find(([id]) => id === workflowId)?.[1] ?? noChoices;
}

export function saveChoices(workflowId: string, choices: ColumnChoices, store: Store = localStorage): void {
  const others = read(store).filter(([id]) => id !== workflowId);
  const stored = [...others.slice(1 - maxWorkflows), [workflowId, choices]];
  store.setItem(storedAs, JSON.stringify(stored));
}

function read(store: Store): readonly (readonly [string, ColumnChoices])[] {
  try {
    const stored: unknown = JSON.parse(store.getItem(storedAs) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return (stored as unknown[]).flatMap((entry) => {
      const [id, choices] = Array.isArray(entry) ? (entry as unknown[]) : [];
      return typeof id === 'string' ? [[id, choicesOf(choices)] as const] : [];
    });
  } catch {
    return []; // Another program's text: the columns are as the run has them.
  }
}

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
