// When each node of a row ran. The nodes of a row run one after another, so each starts when the previous one has ended.
import type { NodeTraceView } from '#contract';

export type WaterfallBar = {
  readonly nodeId: string;
  readonly end: NodeTraceView['end'];
  readonly ms: number;
  /** Start and length as shares of the whole duration, 0 to 1. */
  readonly from: number;
  readonly share: number;
};

export function waterfall(nodes: readonly NodeTraceView[]): readonly WaterfallBar[] {
  const whole = nodes.reduce((sum, { ms = 0 }) => sum + ms, 0);
  let before = 0;
  return nodes.map(({ nodeId, end, ms = 0 }) => {
    const from = whole === 0 ? 0 : before / whole;
    before += ms;
    return { nodeId, end, ms, from, share: whole === 0 ? 0 : ms / whole };
  });
}
