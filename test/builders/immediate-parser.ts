import { runParseJob } from '../../src-main/executor/parser/parse-jobs.ts';
import { FileParser } from '../../src-main/services/workflows/file-parser.ts';

/** Parses without the import that `parserInProcess` waits for, where a spec counts turns of the event loop. */
export const immediateParser = new FileParser(async (job, ...args) => ({
  ok: true,
  value: runParseJob(job, args),
  size: args[0].length,
}));
