// The control API's verbs on keys.
import type { Log } from '../base/log.ts';
import type { Handlers, KeyTest, KeyTestView } from '../contract/index.ts';
import { closestName } from '../domain/closest-name.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';
import type { Settings } from '../domain/settings.ts';
import { placedIssue } from '../domain/workflow/issue.ts';
import { rehearseCall } from '../http/public-api/rehearse-call.ts';
import type { KeyService } from '../services/key-service.ts';
import type { LimitService } from '../services/limit-service.ts';
import type { RunService } from '../services/run-service.ts';
import type { TrustService } from '../services/trust-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import { keyView } from './views.ts';

type KeyHandlers = Pick<Handlers, Extract<keyof Handlers, `key.${string}`>>;

type KeyHandlerParts = {
  readonly keys: KeyService;
  readonly limits: LimitService;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly runs: RunService;
  readonly settings: () => Settings;
  readonly log: Log;
};

export function createKeyHandlers(parts: KeyHandlerParts): KeyHandlers {
  const { keys } = parts;
  return {
    'key.list': async () => keys.list().map(keyView),
    'key.create': async (wanted) => {
      const { key, secret } = await keys.create(wanted);
      return { key: keyView(key), secret };
    },
    'key.test': async (test) => {
      const answer = await rehearseCall(parts, test);
      const key = await keys.recognise(test.key);
      const meant = await meantBy(parts, test, { key, refusal: answer.refusal });
      const problems = answer.refusal === 'workflow_invalid' ? await problemsOf(parts, test.workflowId) : [];
      return {
        ...answer,
        ...(key === undefined ? {} : { key: testedKey(key) }),
        ...(meant === undefined ? {} : { meant }),
        ...(problems.length === 0 ? {} : { problems }),
      };
    },
    'key.revoke': async ({ id }) => keyView(await keys.revoke(id)),
  };
}

const testedKey = ({ name, workflows, revokedAt }: ApiKey): NonNullable<KeyTestView['key']> => ({
  name,
  workflows,
  revokedAt,
});

type Outcome = { readonly key: ApiKey | undefined; readonly refusal: KeyTestView['refusal'] | undefined };

/** The likely slip behind a refusal: blanks that were copied along, or a misspelt workflow. */
async function meantBy(
  { keys, workflows }: KeyHandlerParts,
  test: KeyTest,
  { key, refusal }: Outcome,
): Promise<KeyTestView['meant']> {
  if (key === undefined) {
    const bare = test.key.replaceAll(/\s/g, '');
    return bare !== test.key && (await keys.recognise(bare)) !== undefined
      ? { isKeyWithoutBlanks: true }
      : undefined;
  }
  if (refusal !== 'workflow_not_found') return undefined;
  const closest = closestName(
    test.workflowId,
    (await workflows.list()).map(({ id }) => id),
  );
  return closest === undefined ? undefined : { workflowId: closest };
}

async function problemsOf({ workflows }: KeyHandlerParts, workflowId: string): Promise<readonly string[]> {
  const issues = (await workflows.find(workflowId))?.issues ?? [];
  return issues
    .filter(({ severity }) => severity === 'error')
    .slice(0, 5)
    .map(placedIssue);
}
