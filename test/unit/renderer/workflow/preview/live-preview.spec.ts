// The live preview: which requests it sends while a text changes, and when its answers count.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred, type Deferred } from '../../../../../src-main/base/deferred.ts';
import type { Preview, PreviewedRow } from '../../../../../src-main/domain/run/preview.ts';
import { LivePreview } from '../../../../../src-renderer/state/workflow/preview/live-preview.svelte.ts';
import { previewRowEnd } from '../../../../../src-renderer/state/workflow/preview/preview-cards.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rowOf = (number: number, text: string, state: 'done' | 'failed' = 'done'): PreviewedRow => ({
  number,
  nodes: [{ nodeId: 'lead', state, value: { kind: 'text', text } }],
});
const answer = (text: string, isFailed = false): Preview => ({
  issues: [],
  rows: [rowOf(1, text), rowOf(2, `${text} 2`, isFailed ? 'failed' : 'done')],
  ms: 4,
});

function openPreview() {
  const requests: { readonly text: string; readonly answered: Deferred<Preview | undefined> }[] = [];
  let text = '';
  const ask = (): Promise<Preview | undefined> => {
    const answered = deferred<Preview | undefined>();
    requests.push({ text, answered });
    return answered.promise;
  };
  const preview = new LivePreview({
    call: (() => undefined) as never,
    ask: ask as never,
    workflowId: 'leads',
  });
  const follow = (next: string): void => {
    text = next;
    preview.follow(next);
  };
  const reply = async (index: number, preview: Preview | undefined): Promise<void> => {
    requests[index]?.answered.resolve(preview);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { preview, follow, reply, texts: () => requests.map(({ text }) => text), requests };
}

const shownText = (preview: LivePreview): string | undefined => preview.cardOf('lead')?.node.value?.text;

it('the first text runs at once, and later ones after a pause of 60 ms', async () => {
  const { follow, texts } = openPreview();
  follow('a');
  expect(texts()).toEqual(['a']);
  for (const text of ['ab', 'abc', 'abcd']) {
    follow(text);
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(texts()).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(10);
  expect(texts()).toEqual(['a', 'abcd']);
});

it('values are old from a change of the text to its answer', async () => {
  const { preview, follow, reply } = openPreview();
  follow('a');
  await reply(0, answer('one'));
  expect([shownText(preview), preview.isOld]).toEqual(['one', false]);
  follow('ab');
  expect([shownText(preview), preview.isOld]).toEqual(['one', true]);
  await vi.advanceTimersByTimeAsync(60);
  await reply(1, answer('two'));
  expect([shownText(preview), preview.isOld]).toEqual(['two', false]);
});

it('the answer to an older text is dropped once a newer one was sent', async () => {
  const { preview, follow, reply } = openPreview();
  follow('a');
  follow('ab');
  await vi.advanceTimersByTimeAsync(60);
  await reply(1, answer('new'));
  await reply(0, answer('old'));
  expect(shownText(preview)).toBe('new');
});

it('a text with errors leaves the values of the last text that ran, marked as old', async () => {
  const { preview, follow, reply } = openPreview();
  follow('a');
  await reply(0, answer('one'));
  follow('a [');
  await vi.advanceTimersByTimeAsync(60);
  await reply(1, { issues: [{ severity: 'error', message: 'x', line: 1, column: 1 }], rows: [], ms: 1 });
  expect([shownText(preview), preview.isOld, preview.issues.length]).toEqual(['one', true, 1]);
});

it('a refused preview says why, and the next answer removes it', async () => {
  const { preview, follow, reply, requests } = openPreview();
  follow('a');
  requests[0]?.answered.reject(new Error('not trusted'));
  await vi.advanceTimersByTimeAsync(0);
  expect(preview.problem).toBe('not trusted');
  const again = preview.refresh();
  await reply(1, answer('one'));
  await again;
  expect(preview.problem).toBeUndefined();
});

it('rows are stepped through around the ends, and cards count the failed ones', async () => {
  const { preview, follow, reply } = openPreview();
  follow('a');
  await reply(0, answer('one', true));
  expect(preview.cardOf('lead')).toMatchObject({ failed: 1, rows: 2 });
  const numbers = [1, 1, -1, -1].map((by) => {
    preview.step(by as 1 | -1);
    return preview.row?.number;
  });
  expect(numbers).toEqual([2, 1, 2, 1]);
});

it('a preview that a change of another file stopped is requested again', async () => {
  const { preview, follow, reply, texts } = openPreview();
  follow('a');
  await reply(0, undefined);
  await vi.advanceTimersByTimeAsync(60);
  expect(texts()).toEqual(['a', 'a']);
  await reply(1, answer('one'));
  expect([shownText(preview), preview.isOld]).toEqual(['one', false]);
});

it('a closed preview sends nothing', async () => {
  const { preview, follow, texts } = openPreview();
  follow('a');
  follow('ab');
  preview.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(texts()).toEqual(['a']);
});

it.each([
  [{ nodes: [{ nodeId: 'a', state: 'tooSlow' }] }, 'tooSlow'],
  [{ nodes: [], error: { nodeId: 'a', message: 'x' } }, 'failed'],
  [{ nodes: [{ nodeId: 'a', state: 'notCalled' }] }, 'notCalled'],
  [{ nodes: [], output: { kind: 'object', text: '{}' } }, 'done'],
  [{ nodes: [] }, 'notReached'],
] as const)('a row of %j is shown as %s', (row, end) => {
  expect(previewRowEnd({ number: 1, ...row })).toBe(end);
});
