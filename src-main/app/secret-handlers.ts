// The control API's verbs on secrets.
import type { Handlers } from '../contract/index.ts';
import type { SecretService } from '../services/secret-service.ts';

type SecretHandlers = Pick<Handlers, Extract<keyof Handlers, `secret.${string}`>>;

export function createSecretHandlers(secrets: SecretService): SecretHandlers {
  return {
    'secret.list': async () => secrets.list(),
    'secret.set': (secret) => secrets.set(secret),
    'secret.remove': ({ name }) => secrets.remove(name),
  };
}
