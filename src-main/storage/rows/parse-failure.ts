import { dataUnreadable } from '../../domain/errors.ts';
import { rowFailureSchema, type RowFailure } from '../../domain/run/row-failure.ts';

/** The failure that a line of the traces tells of. Throws `data_unreadable`, naming `label`. */
export function parseFailure(line: string, label: string): RowFailure {
  try {
    return rowFailureSchema.parse(JSON.parse(line));
  } catch (error) {
    throw dataUnreadable(`${label}: a line is damaged`, error);
  }
}
