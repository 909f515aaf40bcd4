// A workflow's file as pages show it.
import { LruMap } from '../../../base/lru-map.ts';
import type { WorkflowSource } from '../../../contract/index.ts';
import type { Outline } from '../../../domain/workflow/outline.ts';
import type { FileParser } from '../../../services/workflows/file-parser.ts';
import type { SourceService } from '../../../services/workflows/source-service.ts';
import type { LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';

/** As much as a workflow file may have; what is longer is none, and only its beginning is of use. */
const maxTextCharacters = 1_000_000;

/** Pages ask again for what has not changed, and a dense file takes seconds to make out. */
const maxOutlines = 8;

/** Outlines of the texts that were asked for last, by hash. */
export class Outlines {
  readonly #parser: FileParser;
  readonly #cache = new LruMap<string, Outline>({ maxEntries: maxOutlines });

  constructor(parser: FileParser) {
    this.#parser = parser;
  }

  async of({ hash, source }: Pick<LoadedWorkflow, 'hash' | 'source'>): Promise<Outline> {
    const outline = this.#cache.get(hash) ?? (await this.#parser.outline(source));
    this.#cache.set(hash, outline);
    return outline;
  }
}

type Around = { readonly sources: SourceService; readonly outlines: Outlines };

/** All that a page needs to draw the file; never throws on any text. */
export async function workflowSource(
  loaded: LoadedWorkflow,
  { sources, outlines }: Around,
): Promise<WorkflowSource> {
  const { id, file, hash, source, workflow, issues } = loaded;
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const problems = workflow === undefined ? [] : await sources.check(loaded);
  return {
    workflowId: id,
    file,
    hash,
    text: text.slice(0, maxTextCharacters),
    isCut: text.length > maxTextCharacters,
    ...(await outlines.of(loaded)),
    issues: [...issues, ...problems],
  };
}
