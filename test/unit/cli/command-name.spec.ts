import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandName } from '../../../src-main/cli/run-program.ts';

const home = join('/', 'home', 'ada');

describe('the name that hints call the program by', () => {
  it.each([
    [join('/', 'usr', 'bin', 'rowbench'), 'rowbench'],
    [join(home, 'dist', 'cli.js'), `node ${join('dist', 'cli.js')}`],
    [join('/', 'opt', 'rowbench', 'cli.js'), `node ${join('/', 'opt', 'rowbench', 'cli.js')}`],
    [join('/', 'my apps', 'cli.js'), `node "${join('/', 'my apps', 'cli.js')}"`],
  ])('is for %s: %s', (script, name) => {
    expect(commandName(script, home)).toBe(name);
  });
});
