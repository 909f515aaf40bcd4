import type { WorkerPool } from '../executor/pool/worker-pool.ts';
import type { FileParser } from '../services/file-parser.ts';
import { PreviewRowReader, type PreviewRowDeps } from '../services/preview-row-reader.ts';
import { PreviewService, type PreviewServiceDeps } from '../services/preview-service.ts';

type PreviewDeps = PreviewRowDeps &
  Omit<PreviewServiceDeps, 'input' | 'parser' | 'pool'> & {
    readonly draftParser: FileParser;
    readonly previewPool: WorkerPool;
  };

export const openPreviews = ({ draftParser, previewPool, ...deps }: PreviewDeps): PreviewService =>
  new PreviewService({
    ...deps,
    parser: draftParser,
    pool: previewPool,
    input: new PreviewRowReader(deps),
  });
