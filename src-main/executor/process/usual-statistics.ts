// Recognises the usual statistics of workers, so that the schema parses only the rare ones. The schema takes longer for
// a few hundred numbers than all other work on a batch of quick rows.
// INVARIANT: the schema accepts all statistics that this module accepts.
import { latencyBuckets } from '../../domain/run/latency-bucket.ts';

const counters = ['done', 'failed', 'skipped', 'replaced', 'retries', 'micros'] as const;
/** The counters, the node and the buckets; with more, or fewer, the schema decides. */
const members = counters.length + 2;
const longestNodeId = 200;

/** Whether what JSON.parse gave is a list of the statistics of nodes that used no tokens. */
export const areUsualStatistics = (given: unknown): boolean => Array.isArray(given) && given.every(isUsual);

function isUsual(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || Object.keys(given).length !== members) return false;
  const node = given as Record<string, unknown>;
  if (typeof node['nodeId'] !== 'string' || node['nodeId'].length > longestNodeId) return false;
  return counters.every((name) => isCount(node[name])) && areBuckets(node['buckets']);
}

const areBuckets = (given: unknown): boolean =>
  Array.isArray(given) &&
  given.length % 2 === 0 &&
  given.length <= 2 * latencyBuckets &&
  given.every(isCount);

const isCount = (given: unknown): boolean => Number.isSafeInteger(given) && (given as number) >= 0;
