// Tests of workflows, from their files and while they are edited.
import type { Platform } from '../platform.ts';
import type { RunsRoom } from '../runs/open.ts';
import { DraftTestFiles } from './draft-test-files.ts';
import { DraftTestRunner } from './draft-test-runner.ts';
import { WorkflowTestRunner } from './workflow-test-runner.ts';

export type TestsRoom = ReturnType<typeof openTests>;

export function openTests(
  { options: { workerScript }, clock, processes, backend }: Platform,
  { liveUpstream }: Pick<RunsRoom, 'liveUpstream'>,
) {
  const { parser, draftParser, previewPool } = processes;
  const { cassettes } = backend.folder;
  const deps = { workerScript, clock, openCassette: cassettes.openCassette.bind(cassettes) };
  const draftTestFiles = new DraftTestFiles({ workerScript, parser: draftParser });
  return {
    tests: new WorkflowTestRunner({ ...deps, parser }),
    /** Runs tests with the texts of an editor. */
    draftTests: new DraftTestRunner({
      ...deps,
      files: draftTestFiles,
      parser: draftParser,
      pool: previewPool,
      liveUpstream,
    }),
    draftTestFiles,
  };
}
