// The process that parses files: no user has trusted them yet, so it has no files, no environment and no network, and
// the server ends it when it takes too long. One job at a time.
import { FrameReader } from '../process/frames.ts';
import { runParseJob } from '../parser/parse-jobs.ts';
import { frameFromParser, type FromParser, type ToParser } from '../parser/parser-protocol.ts';
import { openMainLine } from './main-line.ts';

/** Bytes of a result. A megabyte of YAML can hold hundreds of thousands of expressions, which the server would keep. */
const maxResultBytes = 16_000_000;

const reader = new FrameReader((head) => {
  const { job, args } = head as ToParser;
  const result = Buffer.from(JSON.stringify(runParseJob(job, args)));
  send(result.length > maxResultBytes ? { type: 'too-large' } : { type: 'done', result });
});
const line = openMainLine((bytes) => reader.readBytes(bytes));
const send = (message: FromParser): void => line.write(frameFromParser(message));

send({ type: 'ready' });
