import { SourceService } from '../services/source-service.ts';
import { TableFiles } from '../storage/table-files.ts';

/** Finds what workflows need beside their files, without a data folder. */
export const openSources = (): SourceService => new SourceService(new TableFiles());
