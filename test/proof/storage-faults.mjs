// Loaded into a server process by `--import`, and so into its storage threads. A file `fault.json` beside the database
// requests one fault at the next calls of the thread. The thread ends before it runs the calls, or after it has run
// them and before it answers; or a number of messages are refused with an error code of SQLite.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

if (!isMainThread && workerData?.role !== undefined) plantFaults(parentPort, workerData);

function plantFaults(port, { path, role }) {
  const file = join(dirname(path), 'fault.json');
  /** Number of messages still to be refused for the latest fault. */
  let refusals = 0;
  let errcode = 0;
  let endsBeforeAnswer = false;

  const take = () => {
    if (!existsSync(file)) return;
    const fault = JSON.parse(readFileSync(file, 'utf8'));
    if (fault.role !== role) return;
    rmSync(file);
    if (fault.kind === 'end before') process.exit(7);
    if (fault.kind === 'throw') throw new Error('a planted fault of the storage thread');
    if (fault.kind === 'end after') endsBeforeAnswer = true;
    if (fault.kind === 'refuse') ({ times: refusals, errcode } = fault);
  };

  const { on, postMessage } = port;
  port.on = (event, listener) =>
    on.call(port, event, (message) => {
      if (message === 'close') return listener(message);
      take();
      if (refusals === 0) return listener(message);
      refusals -= 1;
      const failure = { kind: 'sqlite', errcode, message: 'a planted shortage' };
      return postMessage.call(
        port,
        message.map(({ id }) => ({ id, failure })),
      );
    });
  port.postMessage = (...parameters) => {
    if (endsBeforeAnswer) process.exit(7);
    return postMessage.apply(port, parameters);
  };
}
