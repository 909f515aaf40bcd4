// Checks files beside a workflow while they are edited. Never throws on any text.
import { AppError, type TextFault } from '../../../base/app-error.ts';
import { readCassette } from '../../cassette/read-cassette.ts';
import { withOptionKeys } from '../../rows/files/read-options.ts';
import { readTable } from '../../sources/table.ts';
import { issueOfFile, type Issue } from '../../workflow/issue.ts';

/** @param text of a cassette */
export function issuesOfCassette(text: string): readonly Issue[] {
  const read = readCassette(text);
  return 'problem' in read ? [issueAt(read.textFault, read.problem)] : [];
}

/** @param name of the file; its extension says the form */
export function issuesOfRowsFile(text: string, name: string): readonly Issue[] {
  try {
    readTable(name, text);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [withKeys(issueAt(error.detail.textFault, error.message))];
    throw error;
  }
}

/** Tests files and test rows name the file, with options as keys. */
const withKeys = (issue: Issue): Issue => ({ ...issue, message: withOptionKeys(issue.message) });

/** @param message for an issue without a position */
function issueAt(fault: TextFault | undefined, message: string): Issue {
  if (fault === undefined) return issueOfFile(message);
  const { line, column, problem } = fault;
  return { severity: 'error', message: problem, line, column };
}
