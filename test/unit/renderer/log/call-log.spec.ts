import { expect, it } from 'vitest';
import type { Call, LoggedCall } from '../../../../src-main/contract/index.ts';
import { CallLog } from '../../../../src-renderer/state/log/call-log.svelte.ts';
import { loggedCall } from '../../../builders/logged-call.ts';

type Range = { readonly after?: number; readonly before?: number; readonly limit: number };

/** A server with that many calls, newest first; `refuse` says which asking comes to nothing. */
function logOf(calls: number, refuse: (asking: number) => boolean = () => false) {
  const requests: Range[] = [];
  const server = { calls };
  const call = (async (name: string, range: Range) => {
    if (name !== 'calls.list') return name === 'limits.show' ? { meters: [] } : [];
    requests.push(range);
    if (refuse(requests.length)) throw new Error('away');
    const { after = 0, before = Infinity, limit } = range;
    const all: LoggedCall[] = [];
    for (let number = server.calls; number > after; number -= 1)
      if (number < before && all.length < limit) all.push(loggedCall({ number }));
    return { calls: all, oldest: 1 };
  }) as Call;
  return { requests, server, log: new CallLog(call, () => undefined) };
}

it('loads all calls that are kept, and then only newer ones', async () => {
  const { requests, server, log } = logOf(700);
  log.setNewest(700);
  await expect.poll(() => log.calls?.length).toBe(700);
  server.calls = 702;
  log.setNewest(702);
  await expect.poll(() => log.calls?.[0]?.number).toBe(702);
  expect(requests.map(({ after, before }) => after ?? before)).toEqual([undefined, 201, 700]);
  log.close();
});

it('keeps why no call came, and loads them once it is tried again', async () => {
  const { log } = logOf(3, (asking) => asking === 1);
  log.setNewest(3);
  await expect.poll(() => log.problem).toEqual(new Error('away'));
  expect(log.calls).toBeUndefined();
  log.retry();
  await expect.poll(() => log.calls?.length).toBe(3);
  expect(log.problem).toBeUndefined();
  log.close();
});

it('goes on with older calls where it failed, instead of leaving them out', async () => {
  const { log } = logOf(700, (asking) => asking === 2);
  log.setNewest(700);
  await expect.poll(() => log.problem).toEqual(new Error('away'));
  expect(log.calls?.length).toBe(500);
  log.setNewest(700);
  await expect.poll(() => log.calls?.length).toBe(700);
  log.close();
});
