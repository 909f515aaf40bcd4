import { expect, it } from 'vitest';
import { UndoOrder } from '../../../../../src-renderer/state/workflow/files/undo-order.ts';

const all = (): boolean => true;

it('the last step of any file is undone first, and redone last', () => {
  const order = new UndoOrder();
  order.add('workflow');
  order.add('tests');
  order.add('workflow');
  const undone = [order.undo(all), order.undo(all), order.undo(all), order.undo(all)];
  expect(undone).toEqual([['workflow'], ['tests'], ['workflow'], []]);
  expect([order.redo(all), order.redo(all)]).toEqual([['workflow'], ['tests']]);
});

it('a step over several files is undone and redone as one', () => {
  const order = new UndoOrder();
  order.add('tests');
  order.asOne(() => {
    order.add('workflow');
    order.add('tests');
  });
  expect(order.undo(all)).toEqual(['workflow', 'tests']);
  expect(order.redo(all)).toEqual(['workflow', 'tests']);
  order.undo(all);
  expect(order.undo(all)).toEqual(['tests']);
});

it('a new change of any file ends what can be redone', () => {
  const order = new UndoOrder();
  order.add('workflow');
  order.add('tests');
  order.undo(all);
  order.extend();
  expect(order.redo(all)).toEqual([]);
  expect(order.undo(all)).toEqual(['workflow']);
});

it('a step that its editor has forgotten is passed over', () => {
  const order = new UndoOrder();
  order.add('workflow');
  order.add('tests');
  expect(order.undo((file) => file === 'workflow')).toEqual(['workflow']);
});

it('a change that is joined to the last step is undone and redone with it', () => {
  const order = new UndoOrder();
  const made: string[] = [];
  const act = (file: string): boolean => made.push(file) > 0;
  order.add('workflow');
  order.add('workflow');
  order.asOne(() => order.add('workflow'), order.last);
  expect(order.undo(act)).toEqual(['workflow']);
  expect(made).toEqual(['workflow', 'workflow']);
  expect([order.redo(act), made.length]).toEqual([['workflow'], 4]);
  order.undo(act);
  order.undo(act);
  expect([order.undo(act), made.length]).toEqual([[], 7]);
});
