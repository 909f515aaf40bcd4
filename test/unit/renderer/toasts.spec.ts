import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ControlError } from '../../../src-renderer/api/control-error.ts';
import { addressOf } from '../../../src-renderer/state/shell/route.ts';
import { Toasts } from '../../../src-renderer/state/toasts.svelte.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a full disk is told with the places where space is freed, until the user dismisses it', () => {
  const toasts = new Toasts();
  toasts.problem(new ControlError('disk_full', 'Not enough free disk space: 6 MB free, 200 MB needed'));
  toasts.problem(new ControlError('run_not_found', 'There is no such run'));
  vi.runAllTimers();
  expect(toasts.list.map(({ text }) => text)).toEqual([
    'Not enough free disk space: 6 MB free, 200 MB needed',
  ]);
  expect(toasts.list[0]?.links?.map(({ route }) => addressOf(route))).toEqual([
    '/settings/folder',
    '/settings/retention',
  ]);
  toasts.dismiss(toasts.list[0]?.id ?? -1);
  expect(toasts.list).toEqual([]);
});
