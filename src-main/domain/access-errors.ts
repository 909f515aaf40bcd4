// Error messages about access tokens and roles.
import { AppError } from '../base/app-error.ts';
import type { Role } from './access/role.ts';

/** 401: a token that is unknown, revoked or expired; the message does not tell the client which */
export const accessTokenInvalid = () =>
  new AppError('invalid_key', 'This access token is not valid. It may have expired or been revoked');

/** 401: a call without a live token or session */
export const signInNeeded = () =>
  new AppError('invalid_key', 'Sign in with an access token. An administrator of this server creates them');

/** 403 */
export const roleNeeded = (required: Role, role: Role) =>
  new AppError('role_required', `This needs the role ${required}. Your access token has the role ${role}`);

/** 404 */
export const tokenNotFound = (id: string) =>
  new AppError('token_not_found', `No access token has the id "${id}"`);

/** 400 */
export const expiryPast = () => new AppError('invalid_input', 'The expiry of a token must be in the future');

/** 400: the server is opened by links and by its data folder */
export const noAccessTokens = () =>
  new AppError(
    'invalid_input',
    'This server has no access tokens: it serves one user, who can read its data folder. Access tokens belong to a team server',
  );

/** 400 */
export const noLinks = () =>
  new AppError('invalid_input', 'Users of this server sign in with access tokens, not by a link');

/** The command line's: no such server can be reached, or another program answers */
export const teamServerSilent = (url: string, cause?: unknown) =>
  new AppError('invalid_input', `No Rowbench answers at ${url}${reasonOf(cause)}`, { cause });

/** `fetch` says why in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
}
