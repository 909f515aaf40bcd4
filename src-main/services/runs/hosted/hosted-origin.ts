// The address of a hosted service. Who calls: the connections, their client, and the command line.
import { hostedUrlInvalid } from '../../../domain/hosted-errors.ts';

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopbackOrigin = (origin: string): boolean => loopbackNames.has(new URL(origin).hostname);

/** The origin that a user named. Throws `invalid_input` for anything more than an origin, and for http to another machine. */
export function hostedOrigin(text: string): string {
  if (!URL.canParse(text)) throw hostedUrlInvalid(text, 'it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw hostedUrlInvalid(text, 'it must begin with https://');
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw hostedUrlInvalid(
      text,
      `give the origin alone: ${url.origin}. Paths begin with /api/v1 there, and the key has its own place`,
    );
  if (url.protocol === 'http:' && !loopbackNames.has(url.hostname))
    throw hostedUrlInvalid(text, 'it must be https: the key would be sent unencrypted');
  return url.origin;
}
