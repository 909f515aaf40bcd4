// Loaded into a server process by `--import`: from SIGUSR2 on, files are neither synced nor removed, as on a disk or a
// share that stands still; the calls never end. Each of them says so on standard error.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let isStanding = false;
process.on('SIGUSR2', () => {
  isStanding = true;
});

/** Calls `act`, or never comes back once the disk stands still. */
const unlessStanding =
  (name, act) =>
  (...parameters) => {
    if (!isStanding) return act(...parameters);
    process.stderr.write(`${name} stands still\n`);
    return new Promise(() => undefined);
  };

for (const name of ['fsync', 'fdatasync']) fs[name] = unlessStanding(name, fs[name]);
fs.promises.lstat = unlessStanding('lstat', fs.promises.lstat);
syncBuiltinESMExports();
