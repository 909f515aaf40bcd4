import type { RecordingView, RunMode } from '#contract';
import type { OriginalRun, RunOptions } from './row-editor.svelte.ts';

export const modeLabels: Readonly<Record<RunMode, string>> = {
  live: 'Live calls',
  mocks: 'Mocks',
  record: 'Record',
  fill: 'Fill in',
  replay: 'Replay',
};

/** Effect of a mode on the calls of a run. */
export function modeEffect(mode: RunMode, recording: RecordingView | undefined): string {
  const name = recording?.name ?? 'the recording';
  const location = recordingLocation(recording);
  switch (mode) {
    case 'live':
      return 'Calls go to the services.';
    case 'mocks':
      return 'Nodes that call services answer from their mocks. Nothing is called.';
    case 'record':
      return `Calls go to the services, and the answers are saved in ${name}, ${location}.`;
    case 'fill':
      return `Answers come from ${name} where it has them. Other calls go to the services, and their answers are saved in it, ${location}.`;
    case 'replay':
      return `Answers come from ${name}. Nothing is called.`;
  }
}

function recordingLocation(recording: RecordingView | undefined): string {
  if (recording !== undefined && recording.isSidecar === undefined) return 'in the team’s database';
  return recording?.isSidecar
    ? 'next to the workflow'
    : 'in the data folder, because the workflow’s folder is read-only';
}

/** Short label of the chosen options. */
export function runOptionsLabel(
  { mode, mocks, scenario, sample, profile }: RunOptions,
  origin: OriginalRun | undefined,
): string {
  const hasOptions = mode !== undefined || mocks !== undefined || scenario !== undefined;
  const parts = [!hasOptions && origin !== undefined ? 'As before' : modeLabels[mode ?? 'live']];
  if (mode !== 'mocks' && Object.keys(mocks ?? {}).length > 0) parts.push('with mocks');
  if ((scenario ?? '') !== '') parts.push('scenario');
  if (sample !== undefined) parts.push('sample');
  return [...parts, ...profileLabel(profile)].join(' · ');
}

const profileLabel = (profile: string | undefined): readonly string[] =>
  profile === undefined ? [] : [profile === '' ? 'no profile' : profile];
