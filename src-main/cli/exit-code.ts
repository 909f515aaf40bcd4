import { AppError } from '../base/app-error.ts';
import { printable } from './format.ts';

/** Exit codes of the process. `rowbench --help` lists them. */
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
  return `error: ${printable(oneLine(messageOf(error)))}\n`;
}

function messageOf(error: unknown): string {
  if (error instanceof AppError || error instanceof UsageError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const problem = systemProblem(error);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return problem === undefined || path === undefined ? error.message : `${path}: ${problem}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

function causesOf(error: Error): string {
  if (!(error.cause instanceof Error)) return '';
  return `\ncaused by: ${error.cause.stack ?? error.cause.message}${causesOf(error.cause)}`;
}

/** Plain words for errors of the file system, by code. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** True if the user named a path that is missing or a folder. Storage reports its own files otherwise. */
export const isNoFile = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR');

/** A failed system call in words, without the path; undefined for any other error. */
export function systemProblem(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? words[error.code] : undefined;
}
