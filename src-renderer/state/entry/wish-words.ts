import type { RunMode } from '#contract';
import type { DraftOrigin, RunWish } from './draft.svelte.ts';

export const modeWords: Readonly<Record<RunMode, { readonly title: string; readonly does: string }>> = {
  live: { title: 'Live', does: 'Calls go out to the services.' },
  mocks: { title: 'Mocks', does: 'Nodes that call out answer from their mocks; nothing goes out.' },
  record: { title: 'Record', does: 'Calls go out, and the answers are kept in the workflow’s cassette.' },
  replay: { title: 'Replay', does: 'Answers come from the cassette; nothing goes out.' },
};

/** How a run will go, in a word or two. */
export function wishWords({ mode, mocks, scenario }: RunWish, origin: DraftOrigin | undefined): string {
  const isAsked = mode !== undefined || mocks !== undefined || scenario !== undefined;
  if (!isAsked && origin !== undefined) return 'As before';
  const parts = [modeWords[mode ?? 'live'].title];
  if (mode !== 'mocks' && Object.keys(mocks ?? {}).length > 0) parts.push('with mocks');
  if ((scenario ?? '').trim() !== '') parts.push('scenario');
  return parts.join(' · ');
}
