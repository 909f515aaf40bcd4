// The arguments that `npm start` passes to `rowbench serve`. No browser is opened without a terminal, nor for help or
// the version, which start no server.
export function serveArguments(options, isTerminal) {
  const passed = options.filter((option) => option !== '--browser');
  const asksOnly = passed.some((option) => ['--help', '-h', '--version', '-V'].includes(option));
  const opensBrowser = isTerminal && !asksOnly;
  return { opensBrowser, arguments: ['serve', ...(opensBrowser ? ['--open'] : []), ...passed] };
}
