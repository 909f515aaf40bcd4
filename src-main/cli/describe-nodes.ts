// How a run's nodes fared, and one row's way through them, as words for a person.
import type { FreshTraceView, NodeTraceView, RunNodesView, TraceView } from '../contract/index.ts';
import { sharedNothingText } from '../domain/results/call-counts.ts';
import { costText, totalCost } from '../domain/results/model-price.ts';
import { count, counted, fineDuration } from '../domain/format.ts';
import { limitWaitText, repeatedCallText, standInLabels } from '../domain/results/trace-form.ts';
import { printable, table } from './format.ts';

const columns = ['NODE', 'TYPE', 'ROWS', 'FAILED', 'SKIPPED', 'RETRIES', 'P50', 'P95', 'P99'];

/** Empty for a run of which nothing was counted. */
export function describeNodes({ rows, nodes }: RunNodesView): string {
  if (rows === 0) return '';
  const cost = totalCost(nodes);
  const asksModels = nodes.some(({ tokens }) => tokens !== undefined);
  const isAnswered = nodes.some(({ calls }) => calls !== undefined);
  const isPlayed = nodes.some(({ calls }) => calls !== undefined && calls.played > 0);
  const isShared = nodes.some(({ calls }) => calls?.shared !== undefined);
  const lines = nodes.map((node) => [
    node.nodeId,
    node.type,
    count(node.done + node.failed + node.replaced),
    count(node.failed),
    count(node.skipped),
    count(node.retries),
    ...[node.p50, node.p95, node.p99].map((ms) => (ms === null ? '' : fineDuration(ms))),
    ...(isAnswered ? [countText(node.calls?.answered)] : []),
    ...(isPlayed ? [countText(node.calls?.played)] : []),
    ...(isShared ? [countText(node.calls?.shared)] : []),
    ...(asksModels ? [countText(node.tokens?.prompt), countText(node.tokens?.completion)] : []),
    ...(cost === undefined ? [] : [node.cost === undefined ? '' : costText(node.cost)]),
  ]);
  const more = [
    ...(isAnswered ? ['ANSWERED'] : []),
    ...(isPlayed ? ['PLAYED'] : []),
    ...(isShared ? ['SHARED'] : []),
    ...(asksModels ? ['TOKENS IN', 'TOKENS OUT'] : []),
    ...(cost === undefined ? [] : ['COST']),
  ];
  const total = cost === undefined ? '' : `cost of the run: ${costText(cost)}\n`;
  const remark = sharedNothingText(nodes);
  return `\n${table([...columns, ...more], lines)}${total}${remark === undefined ? '' : `${remark}\n`}`;
}

const countText = (found: number | undefined): string => (found === undefined ? '' : count(found));

/** A tree: the row, its nodes, and under each what it logged, called and gave. */
export function describeTrace(trace: TraceView | FreshTraceView): string {
  const head = `row ${trace.row}: ${trace.state}\n`;
  const widest = Math.max(...trace.nodes.map(({ nodeId }) => nodeId.length));
  const nodes = trace.nodes.map((node) => describeNode(node, widest));
  const more = [
    ...(trace.isLogCut ? ['The row logged more than is kept.\n'] : []),
    ...('output' in trace ? [`output ${shown(JSON.stringify(trace.output))}\n`] : []),
  ];
  return [head, ...nodes, ...more].join('');
}

function describeNode(node: NodeTraceView, widest: number): string {
  const fields = [
    node.end,
    ...(node.attempts > 0 && node.ms !== undefined ? [fineDuration(node.ms)] : []),
    ...itemFields(node),
    ...(node.attempts > Math.max(1, node.repeatedCalls ?? node.items ?? 1)
      ? [counted(node.attempts, 'attempt')]
      : []),
    ...tokenFields(node),
  ];
  const details = [
    ...(node.error === undefined ? [] : [`error ${node.error}`]),
    ...(node.replaced ?? []).map(
      ({ message, item }) => `${item === undefined ? '' : `item ${item + 1} `}replaced: ${message}`,
    ),
    ...node.logs.map(({ level, text }) => `${level} ${text}`),
    ...node.calls.map(
      ({ method, url, status, problem, ...call }) =>
        `call ${method} ${url}: ${status ?? problem ?? 'no answer'} (${circumstances(call, node)})`,
    ),
    ...(node.value === undefined ? [] : [`= ${shown(JSON.stringify(node.value))}`]),
    ...(node.cut === undefined ? [] : [`= ${shown(node.cut)} (not kept whole)`]),
    ...(node.isLeftOut ? ['= (too large to be kept)'] : []),
  ];
  return [
    `  ${node.nodeId.padEnd(widest)}  ${fields.join(', ')}\n`,
    ...details.map((detail) => `    ${printable(detail)}\n`),
  ].join('');
}

/** The item of a call, its number in `repeat`, its duration, its wait before, and the stand-in that answered it. */
const circumstances = (
  {
    item,
    round,
    ms,
    waitedMs,
    by,
  }: Pick<NodeTraceView['calls'][number], 'item' | 'round' | 'ms' | 'waitedMs' | 'by'>,
  node: Pick<NodeTraceView, 'items' | 'repeatedCalls'>,
): string =>
  [
    ...(item === undefined ? [] : [`item ${item + 1}`]),
    ...(round === undefined ? [] : [repeatedCallText(round, node)]),
    fineDuration(ms),
    ...(waitedMs === undefined ? [] : [limitWaitText(waitedMs)]),
    ...(by === undefined ? [] : [standInLabels[by]]),
  ].join(', ');

const itemFields = ({ items, repeatedCalls, replacedItems }: NodeTraceView): readonly string[] => [
  ...(items === undefined ? [] : [counted(items, 'item')]),
  ...(repeatedCalls === undefined ? [] : [counted(repeatedCalls, 'call')]),
  ...(replacedItems === undefined ? [] : [`${count(replacedItems)} replaced`]),
];

const tokenFields = ({ tokens, cost }: NodeTraceView): readonly string[] =>
  tokens === undefined
    ? []
    : [
        `${count(tokens.prompt)} tokens in, ${count(tokens.completion)} out`,
        ...(cost === undefined ? [] : [`cost ${costText(cost)}`]),
      ];

/** Room on a line; `--json` shows all that is kept. */
const longest = 400;

const shown = (json: string): string => (json.length <= longest ? json : `${json.slice(0, longest)}…`);
