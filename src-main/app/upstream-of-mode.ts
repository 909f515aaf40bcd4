// Chooses the upstream for a run's calls by the run's mode. Only `live` and `record` use the network.
import type { Clock } from '../base/clock.ts';
import { cassetteMissing } from '../domain/errors.ts';
import type { RunMode } from '../domain/run/run-mode.ts';
import { RecordingUpstream } from '../executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../executor/upstream/cassette/replaying-upstream.ts';
import { offlineUpstream } from '../executor/upstream/offline-upstream.ts';
import type { Upstream } from '../executor/ports.ts';
import type { CassetteFile } from '../storage/cassettes/cassette-file.ts';

export type ModeParts = {
  readonly live: () => Promise<Upstream>;
  readonly cassette: () => CassetteFile;
  readonly clock: Clock;
};

/** Throws `invalid_input` for a replay whose cassette is not there or cannot be read. */
export async function upstreamOfMode(
  { runId, mode = 'live' }: { readonly runId: string; readonly mode?: RunMode | undefined },
  { live, cassette, clock }: ModeParts,
): Promise<Upstream> {
  if (mode === 'live') return live();
  if (mode === 'mocks')
    return offlineUpstream('the run is answered by mocks alone, and this node has none: give it a "mock"');
  const file = cassette();
  if (mode === 'record')
    return new RecordingUpstream({ live: await live(), recorder: await file.record(runId), runId, clock });
  const recorded = await file.read();
  if (recorded === undefined)
    throw cassetteMissing(file.label, 'Record one first, with a run that calls the services themselves');
  return new ReplayingUpstream(recorded, file.label);
}
