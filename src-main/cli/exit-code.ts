import { AppError } from '../base/app-error.ts';

/** What the process ends with. Named in `rowbench --help`. */
export const exitCode = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The command was called in a way that it does not understand. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A person ended the command before it was done. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** One plain line about an error; with `debug` its stack and causes too. */
export function describeError(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return `error: ${error.stack ?? error.message}${causesOf(error)}\n`;
  return `error: ${oneLine(messageOf(error))}\n`;
}

/** A failed system call as `ENOENT: no such file or directory, open '…'` is understood by whoever named the file. */
function messageOf(error: unknown): string {
  if (error instanceof AppError || error instanceof UsageError) return error.message;
  return error instanceof Error ? error.message : String(error);
}

const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

function causesOf(error: Error): string {
  if (!(error.cause instanceof Error)) return '';
  return `\ncaused by: ${error.cause.stack ?? error.cause.message}${causesOf(error.cause)}`;
}
