import type { RecordingView, RunMode } from '#contract';
import type { OriginalRun, RunOptions } from './row-editor.svelte.ts';
import { connectionOf } from './run-connection.ts';

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

/** `Run options`, and what the user has chosen there, but for the sample and the place: the run button says both. */
export function runOptionsLabel(options: RunOptions, origin: OriginalRun | undefined): string {
  const { mode, mocks, scenario, profile } = options;
  if (connectionOf(options, origin) !== undefined) return 'Run options';
  const isAsBefore = origin !== undefined && (mode ?? mocks ?? scenario) === undefined;
  return ['Run options', ...(isAsBefore ? ['as before'] : callTexts(options)), ...profileTexts(profile)].join(
    ' · ',
  );
}

function callTexts({ mode = 'live', mocks = {}, scenario = '' }: RunOptions): readonly string[] {
  return [
    ...(mode === 'live' ? [] : [modeLabels[mode]]),
    ...(mode !== 'mocks' && Object.keys(mocks).length > 0 ? ['with mocks'] : []),
    ...(scenario === '' ? [] : ['scenario']),
  ];
}

const profileTexts = (profile: string | undefined): readonly string[] =>
  profile === undefined ? [] : [profile === '' ? 'no profile' : profile];
