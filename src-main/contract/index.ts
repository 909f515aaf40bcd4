// The one barrel: what a client of the control API may know.
export * from './procedures.ts';
export * from './confirmed-calls.ts';
export type * from './desktop-bridge.ts';
export type * from './access/browsers.ts';
export type * from './access/keys.ts';
export type * from './access/secrets.ts';
export type * from './access/settings.ts';
export type * from './access/tokens.ts';
export type * from './api/api-log.ts';
export type * from './api/server.ts';
export type * from './authoring/author.ts';
export type * from './authoring/graph.ts';
export type * from './authoring/new-workflow.ts';
export type * from './authoring/previews.ts';
export type * from './authoring/questions.ts';
export { exportInput, type ExportInput, type ExportProgressView } from './results/exports.ts';
export { maxComparedInputs, maxListedRows } from './results/comparisons.ts';
export type * from './results/comparisons.ts';
export { maxStatisticsColumns, maxTableRows } from './results/queries.ts';
export type * from './results/queries.ts';
export type * from './results/run-data.ts';
export type * from './results/samples.ts';
export type * from './results/traces.ts';
export type * from './rowsets/file-rows.ts';
export { rowSetName } from './rowsets/row-sets.ts';
export type * from './rowsets/row-sets.ts';
export { maxCountedChains } from '../domain/run/chain.ts';
export type * from './runs/chains.ts';
export { chainCountsText } from '../domain/run/chain-counts-text.ts';
export type * from './runs/hosted.ts';
export type { HostedAttempt } from '../domain/hosted/hosted-attempt.ts';
export { thisMachine } from '../domain/run/run-filter.ts';
export { connectionTestText, hostedText, recordedText } from '../domain/hosted/hosted-text.ts';
export * from './runs/runs.ts';
export type * from './workflows/workflows.ts';
export { maxFindText, type FindCursor, type FindHit, type FindPage } from '../domain/query/find-values.ts';
export type {
  LocateRequest,
  ReadProgress,
  RowGroup,
  SelectedRow,
  TableNode,
  TableOverview,
  TablePage,
} from '../domain/query/table-page.ts';
export { columnText, fieldOf, parseColumn, type Column } from '../domain/query/column.ts';
export type { ColumnStatistics } from '../domain/query/column-statistics.ts';
export {
  allRows,
  maxSelectedNumbers,
  type Condition,
  type RowSelection,
  type SortColumn,
  type ValueTest,
} from '../domain/query/row-selection.ts';
export type { AuditRecord } from '../domain/access/audit-record.ts';
export { hasRole, roles, type Role } from '../domain/access/role.ts';
export { parseDuration } from '../domain/duration.ts';
export { callNeedOf, type CallNeed } from '../domain/upstream/call-needs.ts';
export { innerId } from '../domain/workflow/node-path.ts';
export { freeNodeId } from '../domain/nodes/free-node-id.ts';
export { findEntries, nodeEntries, searchHint, type NodeEntry } from '../domain/nodes/node-entries.ts';
export { callKeys } from '../domain/authoring/create/call-keys.ts';
export { newFields } from '../domain/authoring/create/new-fields.ts';
export { newTestRows } from '../domain/authoring/create/new-test-rows.ts';
export { maxRowsCharacters, maxRowsFiles } from '../domain/authoring/create/unopened-file.ts';
export { pathCredential } from '../domain/authoring/create/credentials.ts';
export { parseCurl } from '../domain/authoring/create/parse-curl.ts';
export type { ExportFormat, ExportOptions } from '../domain/rows/export/export-options.ts';
export { exportColumns, type ExportColumn, type ExportFields } from '../domain/rows/export/export-columns.ts';
export { savedLines } from '../domain/rows/export/explode-row.ts';
export type { RemovedRuns } from '../domain/run/retention-file.ts';
export { testedEnds, type NodeCellView, type TestedEnd } from '../domain/results/node-cell.ts';
export type { RunningRow } from '../domain/run/run.ts';
export { labelLimits } from '../domain/run/label-limits.ts';
export type { LabelChanges, RunLabels } from '../domain/run/run-labels.ts';
export { markLabels, marksOf, marksText, runMarks, type RunMark } from '../domain/run/run-marks.ts';
export {
  chooseEntry,
  scenarioChoices,
  describeScenario,
  scenarioGroups,
  scenarioProblems,
  scenarioSeedEntry,
  textOfChoices,
} from '../domain/scenarios/scenario-menu.ts';
export { sharedNothingText } from '../domain/results/call-counts.ts';
export { limitWaitText, repeatedCallText, standInLabels } from '../domain/results/trace-form.ts';
export { runModes, type RunMode } from '../domain/run/run-mode.ts';
export type { ReadAs } from '../domain/run/read-as.ts';
export { storedReading } from '../domain/run/stored-reading.ts';
export { canMove, isFinal, runStatuses, type RunMove, type RunStatus } from '../domain/run/run-status.ts';
export { causeOf } from '../domain/results/failure-causes.ts';
export { testCountsColour, testCountsText } from '../domain/tests/test-report.ts';
export type * from '../domain/tests/test-views.ts';
export { costText, totalCost, type ModelPrices } from '../domain/results/model-price.ts';
export { whyNotMerged } from '../domain/run/rerun-kind.ts';
export { differingAnswersText } from '../domain/cassette/differing-answers.ts';
export { spentBudgetText } from '../domain/run/spent-budget.ts';
export { outcomeText, runOutcome } from '../domain/run/run-outcome.ts';
export { sampleId } from '../domain/first-start.ts';
export { fixedKeyId } from '../domain/keys/fixed-key.ts';
export type { MissingSecret, PreflightProblem } from '../domain/trust/preflight.ts';
export type { NodeType } from '../domain/nodes/catalogue.ts';
export {
  byteSize,
  clockTime,
  count,
  counted,
  duration,
  fineDuration,
  dayAndTime,
  localTime,
  relativeTime,
  sentence,
  shortId,
} from '../domain/format.ts';
export { publishedLimits, type LimitName } from '../domain/limits/published-limits.ts';
export { numberSettings, type NumberSetting } from '../domain/number-settings.ts';
export { defaultPort, settingEffects } from '../domain/setting-effects.ts';
export { typedCell, type CellType } from '../domain/rows/typed-cell.ts';
export { columnKind } from '../domain/rows/files/column-kinds.ts';
export { parseExactJson } from '../domain/rows/exact-json.ts';
export { applyChanges, type TextChange } from '../domain/authoring/edit/text-changes.ts';
export { findJsonProblem } from '../domain/rows/json-problem.ts';
export { AppError, errorText } from '../base/app-error.ts';
export { escapeRegExp } from '../base/escape-reg-exp.ts';
export { isJsonObject, isSameJson, textOfJson, type JsonObject, type JsonValue } from '../base/json-value.ts';
export { Mutex } from '../base/mutex.ts';
export { unguardFormulas } from '../domain/rows/export/formula-guard.ts';
export { countSample, SampleProblem } from '../domain/rows/row-sample.ts';
export { isAbsentMark } from '../domain/rows/files/absent-marks.ts';
export { dateOrdersOf, isoDate } from '../domain/rows/files/date-forms.ts';
export { mapRow, renameRow, type ColumnRepair, type MappedColumn } from '../domain/rows/files/map-columns.ts';
export { numberForm } from '../domain/rows/files/number-forms.ts';
export { membersInOrder, namesInOrder, rememberOrder } from '../domain/rows/name-order.ts';
export { parseReadOptions, writtenReadOptions, type ReadOptions } from '../domain/rows/files/read-options.ts';
export type { ReadRemark, ReadReport } from '../domain/rows/files/read-remarks.ts';
export { TextOfBytes } from '../domain/rows/files/decode-text.ts';
export { isWorkbook } from '../domain/rows/files/file-kind.ts';
export { gzipDamaged, openBytes, type OpenedBytes } from '../domain/rows/files/open-bytes.ts';
export { RowsOfBytes } from '../domain/rows/files/rows-of-bytes.ts';
export { alignRows, editRowText, readRowFile } from '../domain/authoring/edit/edit-row-text.ts';
export { createRowReader } from '../domain/rows/files/create-row-reader.ts';
export { rowFormatOfName, sniffRowFormat, type RowFormat } from '../domain/rows/files/row-format.ts';
export { differencesCsv } from './results/differences-csv.ts';
export {
  commonOutcomes,
  commonRows,
  differingRows,
  pairOutcomes,
  type ComparisonFilter,
  type FieldRule,
  type OutcomeFilter,
  type PairOutcome,
  type RowMatching,
} from '../domain/query/compare-runs.ts';
export { comparisonMarkdown, matchingText } from '../domain/query/comparison-text.ts';
export type * from '../domain/query/comparison-views.ts';
export { trendNames, type Direction, type Trend } from '../domain/query/value-trends.ts';
export type { ShownChange, ShownValue } from '../domain/query/difference-excerpt.ts';
