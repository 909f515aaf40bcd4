// Procedures on secrets.
import type { Handlers } from '../../contract/index.ts';
import type { SecretService } from '../../services/secret-service.ts';

export const createSecretHandlers = (secrets: SecretService) =>
  ({
    'secret.list': async () => secrets.list(),
    'secret.set': (secret) => secrets.set(secret),
    'secret.remove': ({ name }) => secrets.remove(name),
  }) satisfies Partial<Handlers>;
