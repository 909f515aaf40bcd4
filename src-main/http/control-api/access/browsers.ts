// Procedures on the browsers that may open the app.
import type { Handlers } from '../../../contract/index.ts';
import type { AccessRoom } from '../../../services/access/open.ts';

export const createBrowserHandlers = ({ browsers }: AccessRoom) =>
  ({
    'browser.list': async () =>
      browsers.list().map(({ id, name, pairedAt, lastUsedAt }) => ({ id, name, pairedAt, lastUsedAt })),
    'browser.revoke': async ({ id }) => {
      await browsers.revoke(id);
      return null;
    },
  }) satisfies Partial<Handlers>;
