import type { Command } from '../../shell/rank-commands.ts';
import type { MatrixRows } from './matrix.svelte.ts';

type MatrixActions = { readonly find: () => void; readonly nextFailed: () => void };

/** The actions of the matrix for the palette. */
export function matrixCommands(
  rows: Pick<MatrixRows, 'minimap' | 'shows' | 'showContent'>,
  { find, nextFailed }: MatrixActions,
): readonly Command[] {
  const other = rows.shows === 'time' ? 'values' : 'time';
  const failed = rows.minimap?.counts.failed ?? 0;
  const commands = [
    {
      id: 'matrix-content',
      title: other === 'values' ? 'Show values in the cells' : 'Show times in the cells',
      act: () => rows.showContent(other),
    },
    { id: 'matrix-find', title: 'Find a row by its number', keys: ['/'], act: find },
    ...(failed === 0
      ? []
      : [{ id: 'matrix-failed', title: 'Go to the next failed row', keys: ['N'], act: nextFailed }]),
  ];
  return commands.map((command) => ({ ...command, section: 'Matrix' }));
}
