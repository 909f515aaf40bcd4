// npm start: installs and builds what is missing, then opens the desktop app; where Electron cannot be had, or with
// --browser, becomes the server and opens a browser. Arguments go to whichever it is:
//   npm start -- --browser --port 0 --workflows ./flows
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhatChanged } from './build.mjs';
import { provideElectron } from './electron.mjs';
import { installWhatIsMissing } from './install.mjs';
import { root } from './process.mjs';
import { serveArguments } from './serve-arguments.mjs';

const given = process.argv.slice(2);

try {
  await installWhatIsMissing();
  await buildWhatChanged();
} catch (error) {
  console.error(`npm start: ${error.message}`);
  process.exit(1);
}
// The command line's options are not the window's: who gives some wants the server.
const electron = given.length === 0 ? await provideElectron() : undefined;
if (electron?.program !== undefined) openWindow(electron.program);
else await becomeServer(electron?.reason);

function openWindow(program) {
  const child = spawn(program, [root], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
}

async function becomeServer(reason) {
  if (reason !== undefined) console.log(`No desktop window: ${reason}`);
  const serve = serveArguments(given, process.stdout.isTTY === true);
  if (serve.opensBrowser) console.log('The app opens in a browser. Stop it with Ctrl-C.');
  // In this process, so that every signal reaches the server itself.
  const cli = join(root, 'dist', 'cli.js');
  process.argv.splice(1, process.argv.length, cli, ...serve.arguments);
  await import(pathToFileURL(cli).href);
}
