// Procedures on secrets.
import type { Handlers } from '../../../contract/index.ts';
import { missingSecrets } from '../../../domain/trust/preflight.ts';
import { findReach } from '../../../domain/trust/reach.ts';
import type { Services } from '../../../services/services.ts';

export const createSecretHandlers = ({ access: { secrets }, workflows: { workflows } }: Services) =>
  ({
    'secret.missing': async () => {
      const readable = (await workflows.list()).flatMap(({ id, workflow }) =>
        workflow === undefined ? [] : [{ id, reach: findReach(workflow) }],
      );
      return missingSecrets(readable, secrets.list());
    },
    'secret.list': async () => secrets.list(),
    'secret.set': (secret) => secrets.set(secret),
    'secret.remove': ({ name }) => secrets.remove(name),
  }) satisfies Partial<Handlers>;
