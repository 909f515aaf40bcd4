// `npm start -- --help` used to say that the app opens in a browser, and so did a start without a terminal.
import { expect, it } from 'vitest';
import { serveArguments } from '../../../scripts/serve-arguments.mjs';

it.each([
  [[], true, ['serve', '--open']],
  [['--browser', '--port', '0'], true, ['serve', '--open', '--port', '0']],
  [['--port', '0'], false, ['serve', '--port', '0']],
  [['--help'], true, ['serve', '--help']],
  [['--version'], true, ['serve', '--version']],
])('npm start with %j (terminal: %s) runs %j', (options, isTerminal, expected) => {
  expect(serveArguments(options, isTerminal)).toEqual({
    opensBrowser: expected.includes('--open'),
    arguments: expected,
  });
});
