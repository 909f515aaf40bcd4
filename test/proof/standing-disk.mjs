// Loaded into a server process by `--import`, and so into its storage threads: simulates a disk or network share that
// hangs. From SIGUSR2 on, the main thread neither syncs nor removes files. Once a file `standing` is beside the
// database, the writing storage thread stops. Each of them reports this on standard error.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

const say = (name) => fs.writeSync(2, `${name} stands still\n`);

// Signals reach the main thread alone.
if (isMainThread) standFromSignal();
else if (workerData?.role === 'writer') standByFile(parentPort, join(dirname(workerData.path), 'standing'));

function standFromSignal() {
  let isStanding = false;
  process.on('SIGUSR2', () => {
    isStanding = true;
  });

  /** Calls `act`, or never comes back once the disk stands still. */
  const unlessStanding = (name, act) =>
    function (...parameters) {
      if (!isStanding) return act.apply(this, parameters);
      say(name);
      return new Promise(() => undefined);
    };

  fs.promises.rm = unlessStanding('rm', fs.promises.rm);
  const { open } = fs.promises;
  fs.promises.open = async (...parameters) => {
    const handle = await open(...parameters);
    for (const name of ['sync', 'datasync']) handle[name] = unlessStanding(name, handle[name]);
    return handle;
  };
  syncBuiltinESMExports();
}

function standByFile(port, file) {
  const { on } = port;
  port.on = (event, listener) =>
    on.call(port, event, (message) => {
      if (!fs.existsSync(file)) return listener(message);
      say('the storage thread');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
}
