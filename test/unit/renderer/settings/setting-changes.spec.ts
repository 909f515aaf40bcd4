import { expect, it } from 'vitest';
import type { Call, Settings } from '../../../../src-main/contract/index.ts';
import { SettingChanges, revertChange } from '../../../../src-renderer/state/settings/setting-changes.ts';

type Stored = Record<string, unknown>;

/** A server that stores settings, and the toasts of a page that changes them. */
function createPage(initial: Stored = {}) {
  const server = { stored: initial, problem: undefined as Error | undefined };
  const toasts: { text: string; undo: (() => void) | undefined }[] = [];
  const call = (async (name: string, input: Stored) => {
    await Promise.resolve();
    if (server.problem !== undefined) throw server.problem;
    if (name === 'settings.change') {
      const merged = Object.entries({ ...server.stored, ...input }).filter(([, value]) => value !== null);
      server.stored = Object.fromEntries(merged);
    }
    return { stored: server.stored };
  }) as unknown as Call;
  const changes = new SettingChanges({
    session: { call },
    toasts: {
      done: (text, undo) => void toasts.push({ text, undo }),
      problem: (error) => void toasts.push({ text: String(error), undo: undefined }),
    },
  });
  const undo = async (index: number): Promise<string | undefined> => {
    const before = toasts.length;
    toasts[index]?.undo?.();
    await expect.poll(() => toasts.length).toBe(before + 1);
    return toasts.at(-1)?.text;
  };
  return { server, toasts, changes, undo };
}

const addScenario =
  (id: string) =>
  ({ scenarios }: Settings) => ({
    scenarios: { ...scenarios, workflows: { ...scenarios.workflows, [id]: 'slow=200ms' } },
  });

it('two changes at once are computed one after the other, and an undo reverts its own alone', async () => {
  const { server, changes, undo } = createPage({ scenarios: { header: false, workflows: {} } });
  await Promise.all(['a', 'b'].map((id) => changes.change(addScenario(id), `New runs of ${id}`)));
  expect(server.stored).toMatchObject({ scenarios: { workflows: { a: 'slow=200ms', b: 'slow=200ms' } } });
  expect(await undo(0)).toBe('Undone');
  expect(server.stored).toEqual({ scenarios: { header: false, workflows: { b: 'slow=200ms' } } });
});

it('an undo leaves a setting that was changed again since', async () => {
  const { server, changes, undo } = createPage();
  await changes.change({ extraKeyHeader: 'x-one' }, 'x-one');
  await changes.change({ extraKeyHeader: 'x-two' }, 'x-two');
  expect(await undo(0)).toBe('Not undone: it was changed again since');
  expect(server.stored).toEqual({ extraKeyHeader: 'x-two' });
  expect(await undo(1)).toBe('Undone');
  expect(server.stored).toEqual({ extraKeyHeader: 'x-one' });
});

it('a rejected change has a message for its field, and the next change is sent', async () => {
  const { server, toasts, changes } = createPage();
  server.problem = new Error('Invalid input: must be a number (retention.days)');
  await expect(changes.change({ retention: { days: 0, gigabytes: 1 } }, 'done')).rejects.toThrow(
    /^Must be a number$/,
  );
  server.problem = undefined;
  await changes.change({ limits: 'off' }, 'Limits are off');
  expect(toasts.map(({ text }) => text)).toEqual(['Limits are off']);
});

it('a change is reverted, also one of a setting that was unset', () => {
  expect(revertChange('off', { before: 'published', after: 'off' })).toBe('published');
  expect(revertChange('x-one', { before: undefined, after: 'x-one' })).toBeUndefined();
  expect(revertChange({ scale: 10 }, { before: 'published', after: { scale: 10 } })).toBe('published');
});

it('a setting that was changed again since stays', () => {
  expect(revertChange('x-two', { before: 'x-zero', after: 'x-one' })).toBe('x-two');
  expect(revertChange({ scale: 25 }, { before: { scale: 5 }, after: { scale: 10 } })).toEqual({ scale: 25 });
  expect(revertChange('off', { before: { scale: 5 }, after: { scale: 10 } })).toBe('off');
});

it('a change of a record reverts its own entries, and all others stay', () => {
  const before = { header: false, workflows: { a: 'slow=1ms', gone: 'slow=2ms' } };
  const after = { header: false, workflows: { a: 'slow=9ms', b: 'slow=3ms' } };
  const now = { header: true, workflows: { a: 'slow=9ms', b: 'slow=4ms', c: 'slow=5ms' } };
  expect(revertChange(now, { before, after })).toEqual({
    header: true,
    workflows: { a: 'slow=1ms', gone: 'slow=2ms', b: 'slow=4ms', c: 'slow=5ms' },
  });
});

it('an entry may have the name of a property that every object has', () => {
  const [before, after] = [{}, { constructor: 'slow=1ms' }];
  expect(revertChange({ ...after, toString: 'slow=2ms' }, { before, after })).toEqual({
    toString: 'slow=2ms',
  });
});
