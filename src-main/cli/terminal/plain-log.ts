import type { Log, LogFields } from '../../base/log.ts';
import { printable } from '../format.ts';
import type { Terminal } from './terminal.ts';

/** A log for a person: warnings and errors, one plain line each, on standard error. */
export function plainLog(terminal: Terminal): Log {
  const say = (level: string) => (fields: LogFields, message: string) => {
    const { error, notice } = fields;
    const causes = [error instanceof Error ? error.message : undefined, notice];
    const words = [message, ...causes.filter((cause) => typeof cause === 'string')].join(': ');
    terminal.err(`${level}: ${printable(words)}\n`);
  };
  return { debug() {}, info() {}, warn: say('warning'), error: say('error') };
}
