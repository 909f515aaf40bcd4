// Cassettes for tests that a command runs without a server: the one beside the workflow, then that of the data folder.
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { cassetteNameFor } from '../../domain/workflow/file-names.ts';
import { CassetteFile } from '../../storage/cassettes/cassette-file.ts';
import { storedCassette } from '../../storage/cassettes/cassette-store.ts';
import type { TestCallsDeps } from '../test-calls.ts';

/** @param dataDir its cassettes are only read: a server may have the folder */
export const offlineCassettes =
  (dataDir: string, clock: Clock): TestCallsDeps['openCassette'] =>
  async (workflowId, workflowFile) =>
    CassetteFile.at(
      join(dirname(workflowFile), cassetteNameFor(basename(workflowFile))),
      { clock, log: silentLog },
      storedCassette(join(dataDir, 'cassettes'), workflowId),
    );
