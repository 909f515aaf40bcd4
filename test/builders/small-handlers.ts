import { AppError } from '../../src-main/base/app-error.ts';
import type { Handlers } from '../../src-main/contract/index.ts';

/** Handlers that refuse everything but what the test gives. */
export function handlersWith(given: Partial<Handlers>): Handlers {
  const refuse = async (): Promise<never> => {
    throw new AppError('store_degraded', 'This test has no such handler');
  };
  return {
    'server.info': refuse,
    'server.link': refuse,
    'key.list': refuse,
    'key.create': refuse,
    'key.test': refuse,
    'key.revoke': refuse,
    'workflow.list': refuse,
    'workflow.show': refuse,
    'workflow.trust': refuse,
    'workflow.revoke': refuse,
    'workflow.grant': refuse,
    'secret.list': refuse,
    'secret.set': refuse,
    'secret.remove': refuse,
    'workflow.inspect': refuse,
    'workflow.import': refuse,
    'settings.show': refuse,
    'settings.change': refuse,
    'settings.retention': refuse,
    'settings.folder': refuse,
    'rows.entry': refuse,
    'rows.list': refuse,
    'rows.rename': refuse,
    'rows.remove': refuse,
    'rows.restore': refuse,
    'run.list': refuse,
    'run.show': refuse,
    'run.trace': refuse,
    'run.traceRow': refuse,
    'run.nodes': refuse,
    'run.rows': refuse,
    'run.strip': refuse,
    'run.rowPlace': refuse,
    'run.outputs': refuse,
    'run.input': refuse,
    'run.value': refuse,
    'run.causes': refuse,
    'run.nodeSource': refuse,
    'run.kept': refuse,
    'run.pause': refuse,
    'run.resume': refuse,
    'run.cancel': refuse,
    'run.rerun': refuse,
    'run.bulk': refuse,
    ...given,
  };
}
