import type { UnfinishedRuns } from '../../ports.ts';

/** Unfinished runs that execute here, and those at hosted services. */
export function routedRuns(local: UnfinishedRuns, hosted: UnfinishedRuns): UnfinishedRuns {
  const of = (runId: string): UnfinishedRuns => (hosted.find(runId) === undefined ? local : hosted);
  return {
    recover: async () => {
      await local.recover();
      await hosted.recover();
    },
    add: (run) => (run.hosted === undefined ? local : hosted).add(run),
    find: (runId) => of(runId).find(runId),
    pause: (runId) => of(runId).pause(runId),
    resume: (runId) => of(runId).resume(runId),
    cancel: (runId) => of(runId).cancel(runId),
    label: (runId, changes) => of(runId).label(runId, changes),
    applySettings: () => local.applySettings(),
    close: async () => void (await Promise.all([local.close(), hosted.close()])),
  };
}
