// Records the answers to the calls of a test, whose texts are those of a window.
import type { Handlers } from '../../../contract/index.ts';
import type { PreflightProblem } from '../../../domain/trust/preflight.ts';
import type { Services } from '../../../services/services.ts';
import type { FoundTest } from '../../../services/tests/draft-test-files.ts';
import { loadWorkflow } from '../../../services/workflows/workflow-service.ts';
import { preflight } from '../workflows/workflows.ts';
import { findTexts, type EditorTexts } from './editor-texts.ts';

export function createRecordHandlers(rooms: Services) {
  const { draftTests, draftTestFiles } = rooms.tests;
  return {
    'author.record': async ({ test: named, ...texts }, caller) => {
      const draft = await findTexts(rooms, texts, caller);
      if (!('files' in draft)) return draft;
      const { loaded, edited: files } = draft;
      await rooms.authoring.assertWritable(loaded);
      const found = await draftTestFiles.find(loaded, { files, ...named });
      const needs = await needsOf(rooms, draft, found);
      return needs.length > 0 ? { needs } : draftTests.record(loaded, found, files);
    },
  } satisfies Partial<Handlers>;
}

/** Problems of the calls of the tested workflow, and of the one that scores its rows. */
async function needsOf(
  rooms: Services,
  { loaded: { file: path, location }, text, tables }: EditorTexts,
  { test: { mocks, expect }, workflow: { profile } }: FoundTest,
): Promise<readonly PreflightProblem[]> {
  const tested = await loadWorkflow({ path, location }, text, rooms.authoring.draftParser);
  const { score } = expect;
  const scorer =
    score !== undefined && 'workflow' in score
      ? await rooms.workflows.workflows.find(score.workflow)
      : undefined;
  return [
    ...(await preflight(rooms, tested, { profile, mocks, tables })),
    ...(scorer === undefined
      ? []
      : await preflight(rooms, scorer, { profile: undefined, mocks: {}, tables })),
  ];
}
