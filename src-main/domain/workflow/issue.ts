import { AppError } from '../../base/app-error.ts';
import { counted } from '../format.ts';

/** Something wrong, doubtful, or worth knowing in a workflow file. */
export type Issue = {
  /** A note says how a right file is read where an earlier version read it in another way. */
  readonly severity: 'error' | 'warning' | 'note';
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

/** The issue of a file that is not text in UTF-8, from the error of its reader; undefined for any other error. */
export function issueOfEncoding(error: unknown): Issue | undefined {
  if (!(error instanceof AppError)) return undefined;
  const { textFault } = error.detail;
  if (textFault === undefined) return issueOfEncoding(error.cause);
  const { problem: message, line, column } = textFault;
  return { severity: 'error', message, line, column };
}

export type TextOrIssue =
  | { readonly text: string; readonly issue?: undefined }
  | { readonly issue: Issue; readonly text?: undefined };

/** The text that a reader gives, or the issue of a file that is not UTF-8. Any other error is thrown. */
export async function textOrIssue(reading: Promise<string>): Promise<TextOrIssue> {
  try {
    return { text: await reading };
  } catch (error) {
    const issue = issueOfEncoding(error);
    if (issue === undefined) throw error;
    return { issue };
  }
}

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
  const { line, column } = next;
  const severity = severities.find((each) => issues.some((issue) => issue.severity === each)) ?? 'note';
  return [...shown, { severity, message: checkingStopped, line, column }];
}

/** The worst one first. */
const severities = ['error', 'warning', 'note'] as const;

const checkingStopped = `Checking stopped here: the file has more than ${maxIssues} issues`;

const shortened = (message: string): string =>
  message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}…`;

/** `leads.workflow.yaml:12:5: message`, the form that editors and terminals make clickable. */
export const describeIssue = (file: string, issue: Issue): string =>
  `${file}:${issue.line}:${issue.column}: ${issue.severity === 'error' ? '' : `${issue.severity}: `}${issue.message}`;

/** `line 12, column 5: message`, for an error that names the workflow and not its file. */
export const placedIssue = ({ line, column, message }: Issue): string =>
  `line ${line}, column ${column}: ${message}`;

/** `1 error and 2 warnings`, joined by `joiner`; empty if there are none. */
export function countIssues(issues: readonly Pick<Issue, 'severity'>[], joiner: string): string {
  return severities
    .map((severity) => ({ severity, number: issues.filter((issue) => issue.severity === severity).length }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => counted(number, severity))
    .join(joiner);
}
