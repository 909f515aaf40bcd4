// What the user has chosen about the columns of a workflow's runs, kept in this browser.

/** Choices about the columns of one workflow. Columns are named by their keys: `input.email`, `output.score`, `node.ask`. */
export type ColumnChoices = {
  /** Keys from left to right; columns that are not listed come after them. */
  readonly order: readonly string[];
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
  const stored: Partial<Record<keyof ColumnChoices, unknown>> | null =
    typeof value === 'object' ? value : null;
  const texts = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  const widths = Object.entries((stored?.widths ?? {}) as Record<string, unknown>).filter(
    ([, width]) => typeof width === 'number' && width >= minColumnWidth && width <= maxColumnWidth,
  ) as [string, number][];
  return {
    order: texts(stored?.order),
    hidden: texts(stored?.hidden),
    pinned: texts(stored?.pinned),
    nodes: texts(stored?.nodes),
    widths: Object.fromEntries(widths),
    hasStatistics: stored?.hasStatistics === true,
  };
}
