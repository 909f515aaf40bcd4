// The title of a run's page: it begins with what tells browser tabs apart.
import { count, isFinal, runOutcome, shortId, type RunView } from '#contract';
import { finishedRows } from '../../format/live-counts.ts';

/** `✗ 81 failed · Score leads …0cb65fca`, `62 % · Before the new prompt · Score leads …0cb65fca` */
export function runTitle(run: RunView, workflowName: string): string {
  const named = run.labels?.name === undefined ? '' : ` · ${run.labels.name}`;
  return `${lead(run)}${named} · ${workflowName} ${shortId(run.runId)}`;
}

function lead(run: RunView): string {
  const { kind, word } = runOutcome(run);
  if (kind === 'with-failures') return `✗ ${count(run.rowsFailed)} failed`;
  if (kind === 'all-failed' || kind === 'failed') return `✗ ${word}`;
  if (kind === 'completed') return `✓ ${word}`;
  const percent = run.rows === 0 ? 0 : Math.floor((finishedRows(run) / run.rows) * 100);
  if (kind === 'running') return `${percent} %`;
  return isFinal(run.status) || percent === 0 ? word : `${word} at ${percent} %`;
}
