// Procedures on secrets.
import type { Handlers } from '../../contract/index.ts';
import { missingSecrets } from '../../domain/trust/preflight.ts';
import { findReach } from '../../domain/trust/reach.ts';
import type { SecretService } from '../../services/secret-service.ts';
import type { WorkflowService } from '../../services/workflow-service.ts';

type SecretDeps = { readonly secrets: SecretService; readonly workflows: WorkflowService };

export const createSecretHandlers = ({ secrets, workflows }: SecretDeps) =>
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
