// Adds the control token to requests that our own window's page makes to the control API. The page never has the token,
// so no script in it can leak the token.
import type { OnBeforeSendHeadersListenerDetails, Session } from 'electron';
import type { ControlDoor } from '../app/start-app.ts';
import { confirmedCalls } from '../contract/index.ts';
import { answeredOrigin } from './lock-down.ts';

type Deps = {
  readonly origin: string;
  readonly control: ControlDoor;
  /** Id of the web contents of the app's window; undefined while there is no window. */
  readonly contentsId: () => number | undefined;
};

/** Makes the session prove the window's requests, and no others. */
export function proveControl(session: Session, deps: Deps): void {
  const { header, token } = deps.control;
  session.webRequest.onBeforeSendHeaders((details, answer) => {
    const { requestHeaders } = details;
    answer({
      requestHeaders: mayControl(details, deps) ? { ...requestHeaders, [header]: token } : requestHeaders,
    });
  });
}

type Asking = Pick<
  OnBeforeSendHeadersListenerDetails,
  'url' | 'webContentsId' | 'frame' | 'resourceType' | 'initiatorOrigin'
>;

/**
 * A script's request to the control API, from the top frame of our window while that shows our own origin. The frame
 * is looked at and not only the window: a navigation that slipped through would keep the window.
 */
function mayControl(details: Asking, { origin, control, contentsId }: Deps): boolean {
  const { url, webContentsId, frame, resourceType, initiatorOrigin = origin } = details;
  const isFromPage = resourceType === 'xhr' && webContentsId !== undefined && webContentsId === contentsId();
  const isTopFrame = frame?.parent === null && frame.origin === origin && initiatorOrigin === origin;
  return isFromPage && isTopFrame && isControlAddress(url, origin, control.prefix);
}

/** A link lets in a browser, whose page could then call what this one cannot. */
const unproved: readonly string[] = [...confirmedCalls, 'server.link'];

/** Below the control API's prefix, and none of the calls that the app itself asks about first. */
function isControlAddress(url: string, origin: string, prefix: string): boolean {
  if (answeredOrigin(url) !== origin) return false;
  const { pathname } = new URL(url);
  // Nothing that the server could read in another way than it is read here.
  const isPlain = /^[\w./-]+$/.test(pathname) && pathname.startsWith(`${prefix}/`);
  return isPlain && !unproved.some((name) => pathname.endsWith(`/${name}`));
}
