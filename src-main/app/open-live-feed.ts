// Everything that a page watches, gathered from the services into one feed.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { LiveChange, LiveSnapshot } from '../contract/index.ts';
import { chainCounts } from '../presenters/chain-views.ts';
import { keyView } from '../presenters/key-view.ts';
import { runView } from '../presenters/run-view.ts';
import { serverInfo, type ServerDetails } from '../presenters/server-info.ts';
import { workflowView } from '../presenters/workflow-view.ts';
import { LiveFeed } from '../services/api/live-feed.ts';
import type { Services } from '../services/services.ts';

export type AppFeed = LiveFeed<LiveSnapshot, LiveChange>;

/** About 400 KB; a page asks for older runs when it gets to them. */
const runsInSnapshot = 1_000;

/** Lives as long as the services do: it is closed before them, so that its readers let the server end. */
export function openLiveFeed(
  {
    access,
    api: { callLog },
    runs: { runs },
    results: { chains },
    workflows: { workflows, trust },
  }: Services,
  server: ServerDetails & { readonly clock: Clock },
): AppFeed {
  const { keys, settings, settingsService } = access;
  const snapshot = async (): Promise<LiveSnapshot> => ({
    server: serverInfo(server, settings()),
    settings: settingsService.show(),
    keys: keys.list().map(keyView),
    workflows: (await workflows.list()).map((loaded) => workflowView(loaded, trust)),
    runs: (await runs.list({ limit: runsInSnapshot })).map(runView),
    removed: runs.retention.removed ?? null,
    newestCall: callLog.newest,
  });
  const feed: AppFeed = new LiveFeed({ clock: server.clock, id: randomUUID(), snapshot });
  runs.events.listen((record) =>
    feed.publish(`run ${record.run.runId}`, () => ({ type: 'run-changed', run: runView(record) })),
  );
  runs.retention.removals.listen((runId) =>
    feed.publish(`run ${runId}`, () => ({ type: 'run-removed', runId })),
  );
  chains.watch((chain) =>
    feed.publish(`chain ${chain.chainId}`, () => ({ type: 'chain-changed', counts: chainCounts(chain) })),
  );
  runs.retention.events.listen((removed) =>
    feed.publish('removed runs', () => ({ type: 'runs-removed', removed })),
  );
  keys.events.listen((id) =>
    feed.publish(`key ${id}`, () => ({ type: 'key-changed', key: keyView(keys.show(id)) })),
  );
  const calls = (): LiveChange => ({ type: 'calls-changed', newest: callLog.newest });
  callLog.events.listen(() => feed.publish('calls', calls));
  settingsService.events.listen(() =>
    feed.publish('settings', () => ({
      type: 'settings-changed',
      settings: settingsService.show(),
      server: serverInfo(server, settings()),
    })),
  );
  const emitWorkflows = (): void =>
    feed.publish('workflows', () => ({
      type: 'workflows-changed',
      workflows: workflows.known().map((loaded) => workflowView(loaded, trust)),
    }));
  workflows.events.listen(emitWorkflows);
  trust.events.listen(emitWorkflows);
  return feed;
}
