import type { NodeConfigs, NodeType } from '../nodes/catalogue.ts';
import type { WorkflowNode } from './workflow.ts';

export type Repeat = NonNullable<Extract<NodeConfigs[NodeType], { readonly repeat?: unknown }>['repeat']>;

/** How a node repeats its call; undefined if it makes one. */
export const repeatOf = ({ config }: WorkflowNode): Repeat | undefined =>
  'repeat' in config ? config.repeat : undefined;
