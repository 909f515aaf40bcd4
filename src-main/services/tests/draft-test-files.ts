// The tests files of a workflow while they are edited: with the texts of the editor, the others from the disk. Nothing runs.
// Who calls: the runner of such tests, and the control API.
import { basename, dirname, join } from 'node:path';
import { isSameJson, type JsonObject } from '../../base/json-value.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { draftTestMissing, testsStopped } from '../../domain/test-errors.ts';
import type { TestCase } from '../../domain/tests/test-case.ts';
import { freeTestName } from '../../domain/tests/name-test.ts';
import type { DraftTestRowsView, NewTestView } from '../../domain/tests/test-views.ts';
import { namesIn, readTextFile } from '../../files/text-file.ts';
import { draftTexts, type DraftText } from '../workflows/draft-tables.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import { readInlineOrFileRows } from '../rowsets/input-rows.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';
import { textOfLine } from './in-memory-rows.ts';
import { loadTests, type LoadedTests, type TestedWorkflow } from './load-tests.ts';
import { isOfTheTest, readTestRowLines } from './run-tests.ts';
import { testsFilesAmong } from './workflow-test-runner.ts';

type NamedTest = {
  readonly files: readonly DraftText[];
  /** Name of the tests file. */
  readonly name: string;
  /** Line of the test. */
  readonly line: number;
  readonly profile?: string | undefined;
};

type DraftTestRowsRequest = Omit<NamedTest, 'profile'> & {
  /** A row of the test that has to be among those of the answer, from 1. */
  readonly row?: number | undefined;
};

/** A test of a draft that can run. */
export type FoundTest = {
  readonly test: TestCase;
  readonly workflow: TestedWorkflow;
  readonly loaded: LoadedTests;
};

/** Rows of a test that a preview shows. */
const maxRows = 10;

type NewTestRequest = {
  readonly files: readonly DraftText[];
  /** Wished for the test. */
  readonly name: string;
  readonly rows: readonly JsonObject[];
};

type DraftTestFilesDeps = {
  readonly workerScript: string;
  /** Parses texts that change while they are typed. */
  readonly parser: FileParser;
};

export class DraftTestFiles {
  readonly #deps: DraftTestFilesDeps;
  readonly #closing = new AbortController();

  constructor(deps: DraftTestFilesDeps) {
    this.#deps = deps;
  }

  /** The tests files of the workflow, on the disk and in the editor. */
  async load(
    loaded: LoadedWorkflow,
    files: readonly DraftText[],
    profile?: string,
  ): Promise<readonly LoadedTests[]> {
    const folder = dirname(loaded.file);
    const drafts = draftTexts(loaded.file, files);
    const names = new Set([...(await namesIn(folder)), ...files.map(({ name }) => name)]);
    // The editor shows an empty text for a file that does not exist.
    const tests = testsFilesAmong([...names], basename(loaded.file)).filter(
      (name) => drafts(join(folder, name)) !== '',
    );
    const readText = async (path: string): Promise<string> => drafts(path) ?? readTextFile(path);
    const options = { parser: this.#deps.parser, profile, readText };
    return Promise.all(tests.map((name) => loadTests(join(folder, name), options)));
  }

  /** The test in that line. Throws `invalid_input` if there is none, or its file or workflow has errors. */
  async find(loaded: LoadedWorkflow, { files, name, line, profile }: NamedTest): Promise<FoundTest> {
    const all = await this.load(loaded, files, profile);
    const found = all.find(({ file }) => basename(file) === name);
    const test = found?.tests.find((each) => each.line === line);
    if (found?.workflow === undefined || test === undefined) throw draftTestMissing(name, line);
    return { test, workflow: found.workflow, loaded: found };
  }

  /**
   * A name that no test of the workflow has yet, and a test of the same rows. Never throws for the content of the tests
   * files: tests that cannot be read are not known.
   */
  async describeNew(loaded: LoadedWorkflow, { files, name, rows }: NewTestRequest): Promise<NewTestView> {
    const all = await this.load(loaded, files).catch(ofTheFiles([]));
    const names = new Set(all.flatMap(({ tests }) => tests.map((test) => test.name)));
    const drafts = draftTexts(loaded.file, files);
    for (const { file, tests, workflow } of all) {
      if (workflow === undefined) continue;
      for (const test of tests) {
        const lines = readInlineOrFileRows({
          workflow: workflow.workflow,
          file,
          rows: test.rows,
          workerScript: this.#deps.workerScript,
          signal: this.#closing.signal,
          drafts,
        });
        if (await hasRows(lines, rows).catch(ofTheFiles(false)))
          return {
            name: freeTestName(name, names),
            sameTest: { file: basename(file), name: test.name, line: test.line },
          };
      }
    }
    return { name: freeTestName(name, names) };
  }

  /** Rows of a test. Throws `invalid_input` if there is no such test, or its rows cannot be read. */
  async rows(
    loaded: LoadedWorkflow,
    { files, name, line, row = 1 }: DraftTestRowsRequest,
  ): Promise<DraftTestRowsView> {
    const { test, workflow, loaded: tests } = await this.find(loaded, { files, name, line });
    const lines = await readTestRowLines(
      { file: tests.file, test, workflow },
      {
        workerScript: this.#deps.workerScript,
        signal: this.#closing.signal,
        drafts: draftTexts(loaded.file, files),
      },
    );
    const firstRow = row > maxRows && row <= lines.count ? row : 1;
    const rows: JsonObject[] = [];
    let number = 0;
    for (const line of lines.lines()) {
      number += 1;
      if (number < firstRow) continue;
      if (rows.length === maxRows) break;
      rows.push(JSON.parse(textOfLine(line)) as JsonObject);
    }
    return { rows, firstRow, mocks: test.mocks };
  }

  /** Stops reading. */
  close(): void {
    this.#closing.abort(testsStopped());
  }
}

async function hasRows(lines: AsyncIterable<Uint8Array>, rows: readonly JsonObject[]): Promise<boolean> {
  let count = 0;
  for await (const bytes of lines)
    for (const line of eachLine(bytes)) {
      if (!isSameJson(JSON.parse(textOfLine(line)), rows[count])) return false;
      count += 1;
    }
  return count === rows.length;
}

/** Answers for files with errors; another error is thrown on. */
const ofTheFiles =
  <Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (isOfTheTest(error)) return answer;
    throw error;
  };
