// The options of curl: those that a call of a workflow knows, those without a meaning for it, and those that are refused.

/** Options that take a value and change nothing that a workflow knows. */
export const ignoredValueOptions = new Set(['-o', '--output', '-w', '--write-out', '--connect-timeout']);
export const ignoredOptions = new Set([
  ...[
    '-s',
    '--silent',
    '-S',
    '--show-error',
    '-v',
    '--verbose',
    '-i',
    '--include',
    '-f',
    '--fail',
    '-L',
    '--location',
  ],
  ...[
    '--compressed',
    '--basic',
    '-#',
    '--progress-bar',
    '-N',
    '--no-buffer',
    '--http1.1',
    '--http2',
    '-sS',
    '-sSL',
    '-fsSL',
    '-sL',
  ],
]);
/** Headers by the options that set them. */
export const headerOptions: Readonly<Record<string, string>> = {
  '-b': 'cookie',
  '--cookie': 'cookie',
  '-A': 'user-agent',
  '--user-agent': 'user-agent',
  '-e': 'referer',
  '--referer': 'referer',
};
/** Reasons by option. */
export const refusedOptions: Readonly<Record<string, string>> = {
  '-k': 'Rowbench always checks certificates',
  '--insecure': 'Rowbench always checks certificates',
  '-x': 'A workflow does not choose a proxy',
  '--proxy': 'A workflow does not choose a proxy',
  '-T': 'Files are not sent',
  '--upload-file': 'Files are not sent',
  '--digest': 'Digest authentication is not supported',
  '--ntlm': 'NTLM is not supported',
  '-K': 'A file of options is not read',
  '--config': 'A file of options is not read',
  '-E': 'Client certificates are not supported',
  '--cert': 'Client certificates are not supported',
};
export const dataOptions = new Set([
  '-d',
  '--data',
  '--data-ascii',
  '--data-raw',
  '--data-binary',
  '--data-urlencode',
  '--json',
]);
export const formOptions = new Set(['-F', '--form', '--form-string']);
