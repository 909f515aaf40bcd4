// What sets a run apart from one whose calls all went to the services. Every list and page shows these marks.
import type { RunMode } from './run-mode.ts';

export const runMarks = ['record', 'fill', 'replay', 'mocks', 'scenario'] as const;
export type RunMark = (typeof runMarks)[number];

export const markLabels: Readonly<Record<RunMark, string>> = {
  record: 'Recorded',
  fill: 'Filled in',
  replay: 'Replayed',
  mocks: 'Mocks',
  scenario: 'Scenario',
};

type MarkedRun = {
  readonly mode?: RunMode;
  readonly mocks?: Readonly<Record<string, string>>;
  readonly scenario?: string;
  /** The hosted service at which it runs. */
  readonly hosted?: { readonly connection: string };
};

/** None for a run whose calls all went to the services, without a scenario. */
export function marksOf({ mode = 'live', mocks = {}, scenario }: MarkedRun): readonly RunMark[] {
  const isMocked = mode === 'mocks' || Object.keys(mocks).length > 0;
  return runMarks.filter(
    (mark) =>
      mark === mode || (mark === 'mocks' && isMocked) || (mark === 'scenario' && scenario !== undefined),
  );
}

/** `Replayed, scenario`, or `On prod`; empty for a run without marks. */
export const marksText = (run: MarkedRun): string =>
  run.hosted === undefined
    ? marksOf(run)
        .map((mark, index) => (index === 0 ? markLabels[mark] : markLabels[mark].toLowerCase()))
        .join(', ')
    : `On ${run.hosted.connection}`;
