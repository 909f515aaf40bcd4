import type { AccessRoom } from './access/open.ts';
import type { ApiRoom } from './api/open.ts';
import type { AuthoringRoom } from './authoring/open.ts';
import type { ResultsRoom } from './results/open.ts';
import type { RowsetsRoom } from './rowsets/open.ts';
import type { RunsRoom } from './runs/open.ts';
import type { TestsRoom } from './tests/open.ts';
import type { WorkflowsRoom } from './workflows/open.ts';

/** The services of a process, by room. */
export type Services = {
  readonly authoring: AuthoringRoom;
  readonly tests: TestsRoom;
  readonly results: ResultsRoom;
  readonly runs: RunsRoom;
  readonly workflows: WorkflowsRoom;
  readonly rowsets: RowsetsRoom;
  readonly access: AccessRoom;
  readonly api: ApiRoom;
};
