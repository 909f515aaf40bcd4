// Procedures on the API log and the limits.
import type { CallDetail, Handlers, HarView, LimitMeterView } from '../../../contract/index.ts';
import { harEntry } from '../../../domain/api-log/har.ts';
import type { CallContent, LoggedCall } from '../../../domain/api-log/logged-call.ts';
import { masked } from '../../../domain/api-log/mask-keys.ts';
import { diagnose } from '../../../domain/api-log/polling-doctor.ts';
import { callGone, callNotRepeatable } from '../../../domain/request-errors.ts';
import type { AccessRoom } from '../../../services/access/open.ts';
import type { CallLog } from '../../../services/api/call-log.ts';
import type { ApiRoom } from '../../../services/api/open.ts';
import type { Services } from '../../../services/services.ts';
import type { ControlHost } from '../control-host.ts';

/** Calls per answer where the client names no limit; about 200 KB. */
const defaultCalls = 500;
const maxMeters = 100;
/** Approximate maximum bytes of an answer with HAR entries. */
const maxHarBytes = 900_000;

export function createApiLogHandlers({ api, access, workflows: { workflows } }: Services, host: ControlHost) {
  const { callLog } = api;
  const { settings } = access;
  return {
    'calls.list': async ({ limit = defaultCalls, ...range }) => ({
      calls: callLog.list({ ...range, limit }),
      oldest: callLog.oldest,
      newest: callLog.newest,
    }),
    'calls.show': async ({ number }) => detail(find(callLog, number)),
    'calls.har': async ({ numbers }) => harOf(callLog, numbers, host.url()),
    'calls.replay': async ({ number }) => ({ number: await replay(api, number, host) }),
    'calls.advice': async () =>
      diagnose({
        calls: callLog.all(),
        limits: settings().limits,
        workflowIds: workflows.known().map(({ id }) => id),
        now: host.clock.now(),
      }),
    'limits.show': async () => ({ mode: settings().limits, meters: await metersOf(api, access) }),
  } satisfies Partial<Handlers>;
}

type Found = { readonly call: LoggedCall; readonly content: CallContent };

function find(callLog: CallLog, number: number): Found {
  const found = callLog.find(number);
  if (found === undefined) throw callGone(number);
  return found;
}

function detail({ call, content }: Found): CallDetail {
  const noReplay = whyNot(call, content);
  return { call, content, ...(noReplay === undefined ? {} : { noReplay }) };
}

/** Why the call cannot be repeated; undefined if it can. An incomplete request would be a different call. */
function whyNot(call: LoggedCall, { sent }: CallContent): string | undefined {
  if (call.path.includes(masked)) return 'Its address holds a key, which is not kept';
  if (!sent.isWhole) return 'Its body is not kept whole: it was too long, not read, or held a key';
  return undefined;
}

async function replay(
  { callLog, replayTokens }: ApiRoom,
  number: number,
  { replay: send }: ControlHost,
): Promise<number> {
  const { call, content } = find(callLog, number);
  const problem = whyNot(call, content);
  if (problem !== undefined) throw callNotRepeatable(problem);
  const token = replayTokens.issue({ keyId: call.key?.id, replayOf: number });
  try {
    await send(call, content, token.text);
    return await token.number;
  } finally {
    token.end();
  }
}

/** HAR entries of the calls that are still in the log. */
function harOf(callLog: CallLog, numbers: readonly number[], url: string): HarView {
  const entries = [];
  let bytes = 0;
  let taken = 0;
  for (const number of numbers) {
    const found = callLog.find(number);
    const entry = found === undefined ? undefined : harEntry(found.call, found.content, url);
    const size = entry === undefined ? 0 : JSON.stringify(entry).length;
    if (taken > 0 && bytes + size > maxHarBytes) break;
    if (entry !== undefined) entries.push(entry);
    bytes += size;
    taken += 1;
  }
  return { entries, taken };
}

async function metersOf({ limits }: ApiRoom, { keys }: AccessRoom): Promise<readonly LimitMeterView[]> {
  const names = new Map(keys.list().map(({ id, name, last4 }) => [id, `${name} …${last4}`]));
  const meters = await limits.meters();
  return meters
    .toSorted((a, b) => b.used / b.of - a.used / a.of)
    .slice(0, maxMeters)
    .map((meter) => ({ ...meter, subject: names.get(meter.subjectId) ?? meter.subjectId }));
}
