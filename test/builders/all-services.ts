import type { Services } from '../../src-main/services/services.ts';

export type AllServices = ReturnType<typeof allServices>;

/** The services of all rooms side by side: each has a name of its own. */
export const allServices = (rooms: Services) => ({
  ...rooms.authoring,
  ...rooms.tests,
  ...rooms.results,
  ...rooms.runs,
  ...rooms.workflows,
  ...rooms.rowsets,
  ...rooms.access,
  ...rooms.api,
});
