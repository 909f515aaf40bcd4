import type { NodeStatisticsView, WorkflowSource } from '#contract';
import type { NodeMark } from '../../../state/workflow/files/draft-node-changes.ts';
import type { GraphEditing } from '../../../state/workflow/graph/graph-editing.svelte.ts';
import type { LivePreview } from '../../../state/workflow/preview/live-preview.svelte.ts';

/** Props of the graph and of the outline, which show the same nodes. */
export type GraphViewProps = {
  graph: Pick<WorkflowSource, 'nodes' | 'edges' | 'edgesLeftOut'>;
  issues: WorkflowSource['issues'];
  /** Nodes that differ from the saved file. */
  changes: ReadonlyMap<string, NodeMark>;
  selected: string | undefined;
  counters: readonly NodeStatisticsView[];
  /** Values of the nodes, while the workflow is edited. */
  preview?: LivePreview | undefined;
  editing: GraphEditing;
  onselect: (nodeId: string | undefined) => void;
  /** The user clicked on a node. */
  onchoose: (nodeId: string, event: MouseEvent) => void;
  /** The user opens the menu of a node. */
  onmenu: (event: MouseEvent) => void;
};
