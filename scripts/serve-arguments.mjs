// The arguments that `npm start` passes to `rowbench serve`. Without a terminal no browser is opened, and help and the version start
// nothing that a browser could show.
export function serveArguments(options, isTerminal) {
  const passed = options.filter((option) => option !== '--browser');
  const asksOnly = passed.some((option) => ['--help', '-h', '--version', '-V'].includes(option));
  const opensBrowser = isTerminal && !asksOnly;
  return { opensBrowser, arguments: ['serve', ...(opensBrowser ? ['--open'] : []), ...passed] };
}
