// The row worker: a process that runs authors' code and can do nothing else. It is started with an empty
// environment, no files and no input; all it has is the channel to the process that started it.
import './realm.ts';
import { systemClock } from '../../base/system-clock.ts';
import { FrameReader, frameFromWorker, messageToWorker } from '../process/frames.ts';
import type { FromWorker, LoadRun, ToWorker } from '../protocol.ts';
import { MainChannel } from './main-channel.ts';
import { openMainLine } from './main-line.ts';
import { MemoryThread } from './memory-thread.ts';
import { describeThrown } from './node-error.ts';
import { RunSession } from './run-session.ts';
import { Sandboxes } from './sandboxes.ts';

const reader = new FrameReader((head, parts) => receiveOrReport(messageToWorker(head, parts)));
const line = openMainLine((bytes) => {
  memoryThread?.wake();
  channel.sendHeartbeatsWhile(isBusy);
  reader.readBytes(bytes);
});
const post = (message: FromWorker): void => line.write(frameFromWorker(message));
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Ends the process with the cause on its error output; the main process reruns the rows one by one. */
const onBroken = (error: unknown): void => {
  process.stderr.write(`${describeThrown(error)}\n`, () => process.exit(70));
};

const memoryThread = MemoryThread.start(onBroken);
const channel = new MainChannel(systemClock, post);
const sandboxes = new Sandboxes();
let session: RunSession | undefined;

/** Rows that are still coming in are waited for as well. */
const isBusy = (): boolean => {
  const hasWork = reader.isWithinFrame || session?.hasRows === true;
  if (!hasWork) memoryThread?.sleep();
  return hasWork;
};

function receive(message: ToWorker): void {
  if (message.type !== 'load') {
    if (session !== undefined) receiveInRun(session, message);
    return;
  }
  // The run before ends here: but for compartments and what is compiled of the plan alone, which keep nothing of it,
  // all is made anew.
  session = new RunSession(message, {
    channel,
    clock: systemClock,
    cpuMs,
    nextTurn,
    onBroken,
    sandboxes,
  });
}

function receiveInRun(run: RunSession, message: Exclude<ToWorker, LoadRun>): void {
  switch (message.type) {
    case 'batch':
      return run.runBatch(message.batch);
    case 'wait-ended':
      return run.endWait(message.wait);
    case 'call-answered':
    case 'call-claimed':
    case 'call-deferred':
      return run.endCall(message);
    case 'pause':
      return run.pause(message.pauseId);
    case 'resume':
      return run.resume();
  }
}

function receiveOrReport(message: ToWorker): void {
  try {
    receive(message);
  } catch (error) {
    channel.send({ type: 'load-failed', message: describeThrown(error) });
  }
}

// A promise that an author's code rejects and never looks at is no fault of the row.
process.on('unhandledRejection', () => undefined);

channel.send({ type: 'ready' });
