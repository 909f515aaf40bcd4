import pino from 'pino';
import type { Log } from '../base/log.ts';

/** Log lines as JSON on standard error; standard output belongs to what a command answers. */
export function createLog(level: 'debug' | 'info' | 'warn' | 'error'): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
  };
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
