// Refuses every request of a page to the system unless it is listed here. The pages are our own, but their content is
// not: rows, names and answers come from anywhere.
import type { DownloadItem, Event, FilesystemPermissionRequest, Session, WebContents } from 'electron';
import { safeFileName } from '../app/shell/safe-file-name.ts';

/** Permissions of our own pages: writing text that the user copies to the clipboard. */
const grantedPermissions: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** A large export goes piece by piece into the one file that the user has named for it, in the system's own dialog. */
const isChosenFile = (permission: string, { isDirectory, fileAccessType }: FilesystemPermissionRequest) =>
  permission === 'fileSystem' && isDirectory === false && fileAccessType === 'writable';

/** Refuses permissions, devices and downloads to all but what our own origin needs. */
export function lockDownSession(session: Session, origin: string): void {
  const mayUse = (permission: string, asking: string, details: object): boolean =>
    answeredOrigin(asking) === origin &&
    (grantedPermissions.has(permission) || isChosenFile(permission, details as FilesystemPermissionRequest));
  session.setPermissionRequestHandler((_contents, permission, ...[answer, details]) =>
    answer(mayUse(permission, details.requestingUrl, details)),
  );
  session.setPermissionCheckHandler((_contents, permission, ...[asking, details]) =>
    mayUse(permission, asking, details),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  session.on('select-hid-device', (event, _details, choose) => (event.preventDefault(), choose(null)));
  session.on('select-usb-device', (event, _details, choose) => (event.preventDefault(), choose()));
  session.on('select-serial-port', (event, _ports, ...[, choose]) => (event.preventDefault(), choose('')));
  session.on('will-download', (event, item) => askWhereTo(event, item, origin));
}

/** Keeps contents at our own origin. Links that lead out go to `openOutside`; no window is ever opened for a page. */
export function lockDownContents(
  contents: WebContents,
  origin: string,
  openOutside: (address: string) => void,
): void {
  const stay = (event: Event<{ url: string }>): boolean => {
    if (answeredOrigin(event.url) === origin) return false;
    event.preventDefault();
    return true;
  };
  contents.on('will-navigate', (event) => {
    if (stay(event)) openOutside(event.url);
  });
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
}

/** An export of our own pages, a blob, is saved where the user says; nothing else is saved at all. */
function askWhereTo(event: Event, item: DownloadItem, origin: string): void {
  const address = item.getURL();
  if ((blobMakerOf(address) ?? answeredOrigin(address)) !== origin) event.preventDefault();
  else item.setSaveDialogOptions({ defaultPath: safeFileName(item.getFilename()) });
}

/**
 * The origin of an address that a server answers; undefined for any other text. A `blob:` address does not have the
 * origin of the page that made the blob: a document at such an address is what a script wrote, not what the server sent.
 */
export function answeredOrigin(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : undefined;
}

/** The origin of the page that made the blob at a `blob:` address; undefined for any other text. */
const blobMakerOf = (address: string): string | undefined =>
  address.startsWith('blob:') ? answeredOrigin(address.slice('blob:'.length)) : undefined;
