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
};

/** Nobody reads more of them at once; a file with more is not a workflow. */
export const maxIssues = 1000;

/** `leads.workflow.yaml:12:5: message`, the form that editors and terminals make clickable. */
export const describeIssue = (file: string, issue: Issue): string =>
  `${file}:${issue.line}:${issue.column}: ${issue.severity === 'warning' ? 'warning: ' : ''}${issue.message}`;

/** `line 12, column 5: message`, for an error that names the workflow and not its file. */
export const placedIssue = ({ line, column, message }: Issue): string =>
  `line ${line}, column ${column}: ${message}`;
