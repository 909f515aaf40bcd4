import { AppError } from '../base/app-error.ts';
import { printable } from './format.ts';
import { systemProblem } from './system-problem.ts';

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
