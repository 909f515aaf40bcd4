// Options of the desktop app's command line, apart from a link or a file to open.
import type { PlatformPath } from 'node:path';

export type ShellOptions = {
  readonly dataDir: string | undefined;
  /** 0: any free one. */
  readonly port: number | undefined;
  /** Started at login: in the tray, without a window. */
  readonly isHidden: boolean;
};

export const hiddenOption = '--hidden';

/** `--data=DIR --port=N --hidden`; what is not understood is left out, since the system adds options of its own. */
export function startOptions(argv: readonly string[], folder: string, path: PlatformPath): ShellOptions {
  const valueOf = (name: string): string | undefined =>
    argv.findLast((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  const data = valueOf('data');
  const port = /^\d{1,5}$/.exec(valueOf('port') ?? '')?.[0];
  return {
    dataDir: data === undefined || data === '' ? undefined : path.resolve(folder, data),
    port: port === undefined ? undefined : Number(port),
    isHidden: argv.includes(hiddenOption),
  };
}
