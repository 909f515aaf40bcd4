import type { Command } from 'commander';
import { noServer } from '../../domain/request-errors.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataDirOf, dataOption, type DataOption } from '../options/data-option.ts';
import { openBrowser } from '../open-browser.ts';

type OpenOptions = DataOption & { readonly json?: boolean; readonly browser: boolean };

const examples = `
Examples:
  $ rowbench open
  $ rowbench open --no-browser     # prints the link only, say for another browser`;

/** `rowbench open`: a link into the running app, opened in the browser. */
export function addOpenCommand(program: Command, context: CommandContext): void {
  program
    .command('open')
    .summary('open the app in a browser')
    .description(
      'Opens the app of the server that serves the data folder, and prints its link. A link lets one browser in,\n' +
        'once, within ten minutes; a page that was reloaded needs a new one.',
    )
    .option('--no-browser', 'print the link only')
    .addOption(dataOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((options: OpenOptions) => openCommand(context, options));
}

async function openCommand(context: CommandContext, options: OpenOptions): Promise<void> {
  const { terminal } = context;
  const link = await withControl(context, options, (call, { remote }) => {
    if (!remote) throw noServer(dataDirOf(context, options), commandFor(context, 'serve --open', options));
    return call('server.link', {});
  });
  if (options.json === true) await printJson(context, link);
  else await terminal.out(`${link.url}\n`);
  if (options.browser && !(await openBrowser(link.url, terminal.platform))) {
    terminal.err('No browser could be opened here: paste the link into one.\n');
  }
}
