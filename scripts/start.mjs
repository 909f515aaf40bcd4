// npm start: installs and builds what is missing, then becomes the server. Arguments go to `rowbench serve`:
//   npm start -- --port 0 --workflows ./flows
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhatChanged } from './build.mjs';
import { installWhatIsMissing } from './install.mjs';
import { root } from './process.mjs';

try {
  await installWhatIsMissing();
  await buildWhatChanged();
} catch (error) {
  console.error(`npm start: ${error.message}`);
  process.exit(1);
}
console.log(
  'The desktop window is not part of this version: the app opens in a browser. Stop it with Ctrl-C.',
);
// Where nobody looks, no browser is wanted either.
const opens = process.stdout.isTTY ? ['--open'] : [];
// In this process, so that every signal reaches the server itself.
const cli = join(root, 'dist', 'cli.js');
process.argv.splice(1, process.argv.length, cli, 'serve', ...opens, ...process.argv.slice(2));
await import(pathToFileURL(cli).href);
