// The commits of a run for whoever reads what they vouch for, beginning with any row's.
import { dataUnreadable } from '../../domain/errors.ts';
import type { OpenFile } from '../file-system.ts';
import { placeBefore, readCommits, type StoredCommit } from './output-index.ts';
import { outputNames } from './run-files.ts';

export type CommitRange = {
  readonly index: OpenFile;
  /** The run's folder, for messages. */
  readonly label: string;
  /** Rows that must all be there: of a completed run, whose index can no longer be growing. */
  readonly rows?: number | undefined;
  /** Where to begin in place of the start: with the commit of this row. */
  readonly fromRow?: number | undefined;
};

/** In order. Throws `data_unreadable` where a line is damaged, or rows are missing. */
export async function* commitsFrom({
  index,
  label,
  rows,
  fromRow = 1,
}: CommitRange): AsyncGenerator<StoredCommit> {
  const from = fromRow === 1 ? undefined : await placeBefore(index, fromRow);
  let there = from?.before.rows ?? 0;
  for await (const found of readCommits(index, from)) {
    if (found.kind === 'bad') {
      const after = from === undefined ? '' : ` after that of row ${from.before.rows}`;
      throw dataUnreadable(`${label}/${outputNames.index}: line ${found.line}${after} is damaged`);
    }
    // Else the last line is torn: a commit under way, or one that a crash prevented.
    if (found.kind !== 'commit') break;
    there = found.commit.rows;
    yield found;
  }
  if (rows !== undefined && there !== rows)
    throw dataUnreadable(`${label}/${outputNames.index}: ${there} of ${rows} rows are there`);
}
