// The program of the thread that answers questions over all rows of runs for a team: the code that reads `rowbench.db` in a
// storage thread, over reads that the main thread makes. Started by question-thread.ts.
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { invariant } from '../../base/invariant.ts';
import { answerCalls } from '../../storage/sqlite/call-methods.ts';
import { ChainCounter } from '../../storage/sqlite/queries/chain-counter.ts';
import { ColumnQueries } from '../../storage/sqlite/queries/column-queries.ts';
import { RowSelections } from '../../storage/sqlite/queries/row-selections.ts';
import { RunComparisons } from '../../storage/sqlite/queries/run-comparisons.ts';
import { RunFinder } from '../../storage/sqlite/queries/run-finder.ts';
import { buffersIn, type FromThread, type ToThread } from '../../storage/sqlite/thread-messages.ts';
import { SynchronousReads, type ReadChannel } from './synchronous-reads.ts';

invariant(parentPort !== null, 'this program runs in a worker thread');
serve(parentPort, workerData as ReadChannel);

function serve(port: MessagePort, channel: ReadChannel): void {
  const reads = new SynchronousReads(channel);
  const answer = answerCalls([
    new ColumnQueries(reads),
    new RunComparisons(reads),
    new RunFinder(reads, reads),
    new RowSelections(reads),
    new ChainCounter(reads),
  ]);
  port.on('message', (message: ToThread) => {
    if (message === 'close') {
      channel.port.close();
      port.close();
      return;
    }
    if (message === 'open') return;
    for (const call of message) {
      reads.beginStep();
      const replies = answer([call]);
      port.postMessage(replies, buffersIn(replies));
    }
  });
  port.postMessage({ opened: true } satisfies FromThread);
}
