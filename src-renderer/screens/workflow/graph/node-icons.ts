import ArrowRightToLine from '@lucide/svelte/icons/arrow-right-to-line';
import Bot from '@lucide/svelte/icons/bot';
import Braces from '@lucide/svelte/icons/braces';
import CircleHelp from '@lucide/svelte/icons/circle-question-mark';
import Code from '@lucide/svelte/icons/code';
import GitBranch from '@lucide/svelte/icons/git-branch';
import Globe from '@lucide/svelte/icons/globe';
import Layers from '@lucide/svelte/icons/layers';
import LogIn from '@lucide/svelte/icons/log-in';
import Repeat from '@lucide/svelte/icons/repeat';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import Split from '@lucide/svelte/icons/split';
import TableProperties from '@lucide/svelte/icons/table-properties';
import Timer from '@lucide/svelte/icons/timer';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Workflow from '@lucide/svelte/icons/workflow';
import type { NodeEntry, NodeType } from '#contract';

const icons: Readonly<Record<NodeType, typeof Code>> = {
  input: LogIn,
  output: ArrowRightToLine,
  set: Braces,
  switch: Split,
  http: Globe,
  llm: Bot,
  delay: Timer,
  code: Code,
  lookup: TableProperties,
  workflow: Workflow,
  assert: ShieldCheck,
  fail: TriangleAlert,
};

/** The icon of a node type; a question mark for an unknown type. */
export const iconOf = (type: string): typeof Code =>
  Object.hasOwn(icons, type) ? icons[type as NodeType] : CircleHelp;

/** The icon of an entry of the picker. */
export function iconOfEntry(entry: NodeEntry): typeof Code {
  if (entry.kind === 'node') return iconOf(entry.type);
  if (entry.kind === 'template') return Layers;
  return entry.key === 'when' ? GitBranch : Repeat;
}
