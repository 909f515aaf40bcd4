import type { RunMode } from '#contract';
import type { OriginalRun, RunOptions } from './row-editor.svelte.ts';

export const modeLabels: Readonly<Record<RunMode, { readonly title: string; readonly does: string }>> = {
  live: { title: 'Live', does: 'Calls go out to the services.' },
  mocks: { title: 'Mocks', does: 'Nodes that call out answer from their mocks; nothing goes out.' },
  record: { title: 'Record', does: 'Calls go out, and the answers are kept in the workflow’s cassette.' },
  replay: { title: 'Replay', does: 'Answers come from the cassette; nothing goes out.' },
};

/** Short label of the chosen options. */
export function runOptionsLabel(
  { mode, mocks, scenario }: RunOptions,
  origin: OriginalRun | undefined,
): string {
  const hasOptions = mode !== undefined || mocks !== undefined || scenario !== undefined;
  if (!hasOptions && origin !== undefined) return 'As before';
  const parts = [modeLabels[mode ?? 'live'].title];
  if (mode !== 'mocks' && Object.keys(mocks ?? {}).length > 0) parts.push('with mocks');
  if ((scenario ?? '').trim() !== '') parts.push('scenario');
  return parts.join(' · ');
}
