/** Something wrong (or doubtful) in a workflow file. */
export type Issue = {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The node that it concerns, where there is one. */
  readonly nodeId?: string;
  /** Key of the node that names what is missing or broken: its table, the column of it, or the workflow that it calls. */
  readonly key?: string;
};

/** An issue of the file as a whole. */
export const issueOfFile = (message: string): Issue => ({ severity: 'error', message, line: 1, column: 1 });

/** Issues that are reported for one file. A file with more is not a workflow, and what made them is seen in these. */
export const maxIssues = 100;

/** Characters of one message, which may quote a name of the file. */
const maxMessageLength = 500;

/** In the order of the file, `maxIssues` at most: with more, a last one says that checking stopped. */
export function limitIssues(issues: readonly Issue[]): Issue[] {
  const sorted = issues.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const shown = sorted.slice(0, maxIssues).map((issue) => ({ ...issue, message: shortened(issue.message) }));
  const [next] = sorted.slice(maxIssues);
  if (next === undefined) return shown;
  const isError = issues.some(({ severity }) => severity === 'error');
  const { line, column } = next;
  return [...shown, { severity: isError ? 'error' : 'warning', message: checkingStopped, line, column }];
}

const checkingStopped = `Checking stopped here: the file has more than ${maxIssues} issues`;

const shortened = (message: string): string =>
  message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}…`;

/** `leads.workflow.yaml:12:5: message`, the form that editors and terminals make clickable. */
export const describeIssue = (file: string, issue: Issue): string =>
  `${file}:${issue.line}:${issue.column}: ${issue.severity === 'warning' ? 'warning: ' : ''}${issue.message}`;

/** `line 12, column 5: message`, for an error that names the workflow and not its file. */
export const placedIssue = ({ line, column, message }: Issue): string =>
  `line ${line}, column ${column}: ${message}`;
