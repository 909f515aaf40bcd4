// Of very many failed rows only the first ones are grouped by cause: their number is not shown as that of all.
import { expect, it } from 'vitest';
import { statusMenu } from '../../../../../src-renderer/state/run/rows/table-menu.ts';

const ignore = (): void => undefined;

it.each([
  { failed: 10_000, note: '10,000 at check' },
  { failed: 14_286, note: 'at least 10,000 at check' },
])('the cause of $failed failed rows is noted as $note', ({ failed, note }) => {
  const group = { nodeId: 'check', cause: 'no @', message: 'no @', rows: 10_000, firstRows: [1] };
  const menu = statusMenu(
    { groups: [group], looked: 10_000, failed },
    { selection: { conditions: [] }, onsort: ignore, ongroup: ignore, onfilter: ignore, oncondition: ignore },
  );
  expect(menu.at(-1)?.note).toBe(note);
});
