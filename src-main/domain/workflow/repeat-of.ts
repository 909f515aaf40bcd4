import type { NodeConfigs } from '../nodes/catalogue.ts';
import type { WorkflowNode } from './workflow.ts';

export type Repeat = NonNullable<NodeConfigs['http' | 'workflow']['repeat']>;

/** How a node repeats its call; undefined if it makes one. */
export const repeatOf = (node: WorkflowNode): Repeat | undefined =>
  node.type === 'http' || node.type === 'workflow' ? node.config.repeat : undefined;
