// The one barrel: what a client of the control API may know.
export * from './procedures.ts';
export * from './run-inputs.ts';
export type * from './row-inputs.ts';
export { rowSetName } from './row-procedures.ts';
export type * from './row-entry-views.ts';
export type * from './row-views.ts';
export type * from './api-log-views.ts';
export * from './confirmed-calls.ts';
export type * from './desktop-bridge.ts';
export type * from './run-fixture-view.ts';
export type * from './key-test.ts';
export type * from './row-data-views.ts';
export { maxFindText, type FindCursor, type FindHit, type FindPage } from '../domain/query/find-values.ts';
export {
  maxListedRows,
  maxStatisticsColumns,
  maxTableRows,
  type ComparedRowView,
  type ComparisonPageInput,
  type ComparisonPageView,
  type ComparisonStepView,
  type ComparisonSummaryView,
  type RunComparisonView,
  type RunTableInput,
  type RunTableView,
  type StatisticsInput,
  type TableRowsInput,
} from './query-procedures.ts';
export type { ReadingRows, RowGroup, SelectedRow } from '../domain/query/table-page.ts';
export { columnText, fieldOf, parseColumn, type Column } from '../domain/query/column.ts';
export type { ColumnStatistics } from '../domain/query/column-statistics.ts';
export {
  allRows,
  maxSelectedNumbers,
  type Condition,
  type RowSelection,
  type ValueTest,
} from '../domain/query/row-selection.ts';
export type { SampleView } from './sample-procedures.ts';
export type { SecretView } from './secret-procedures.ts';
export type { PairedBrowserView } from './browser-procedures.ts';
export type { CreatedToken, TokenView } from './token-procedures.ts';
export type { AuditRecord } from '../domain/access/audit-record.ts';
export { hasRole, roles, type Role } from '../domain/access/role.ts';
export type * from './settings-view.ts';
export type * from './trace-views.ts';
export type * from './views.ts';
export type * from './workflow-source.ts';
export type * from './workflow-views.ts';
export type * from './author-procedures.ts';
export type * from './form-procedures.ts';
export type * from './new-workflow-procedures.ts';
export type * from './graph-procedures.ts';
export { parseDuration } from '../domain/duration.ts';
export { freeNodeId } from '../domain/nodes/free-node-id.ts';
export { newFields } from '../domain/author/new-fields.ts';
export { newTestRows } from '../domain/author/new-test-rows.ts';
export { maxRowsCharacters, maxRowsFiles } from '../domain/author/unopened-file.ts';
export { parseCurl } from '../domain/author/parse-curl.ts';
export type * from './preview-procedures.ts';
export type * from './draft-test-procedures.ts';
export type * from './language-procedures.ts';
export { exportInput, type ExportInput, type ExportProgressView } from './export-procedures.ts';
export type { ExportFormat, ExportOptions } from '../domain/rows/export-options.ts';
export { exportColumns, type ExportColumn, type ExportFields } from '../domain/rows/export-columns.ts';
export type * from './live.ts';
export { labelLimits } from '../domain/run/label-limits.ts';
export type { LabelChanges, RunLabels } from '../domain/run/run-labels.ts';
export { markLabels, marksOf, marksText, runMarks, type RunMark } from '../domain/run/run-marks.ts';
export {
  chooseEntry,
  scenarioChoices,
  describeScenario,
  scenarioMenu,
  scenarioProblems,
  textOfChoices,
} from '../domain/scenarios/scenario-menu.ts';
export { limitWaitText, repeatedCallText, standInLabels } from '../domain/run/trace-form.ts';
export { runModes, type RunMode } from '../domain/run/run-mode.ts';
export { rowFilters, type RowChoice, type RowFilter } from '../domain/run/row-filter.ts';
export { canMove, isFinal, runStatuses, type RunMove, type RunStatus } from '../domain/run/run-status.ts';
export { causeOf } from '../domain/run/failure-causes.ts';
export { testCountsText } from '../domain/tests/test-report.ts';
export { costText, totalCost, type ModelPrices } from '../domain/run/model-price.ts';
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
export { applyChanges, type TextChange } from '../domain/edit/text-changes.ts';
export { findJsonProblem } from '../domain/rows/json-problem.ts';
export { errorText } from '../base/error-text.ts';
export { escapeRegExp } from '../base/escape-reg-exp.ts';
export { isJsonObject, isSameJson, textOfJson, type JsonObject, type JsonValue } from '../base/json-value.ts';
export { Mutex } from '../base/mutex.ts';
export { unguardFormulas } from '../domain/rows/formula-guard.ts';
export { createRowReader } from '../domain/rows/create-row-reader.ts';
export { rowFormatOfName, sniffRowFormat, type RowFormat } from '../domain/rows/row-format.ts';
export { differencesCsv } from './differences-csv.ts';
export {
  differingOutcomes,
  differingRows,
  pairOutcomes,
  type ComparisonFilter,
  type FieldRule,
  type PairOutcome,
  type RowMatching,
} from '../domain/query/compare-runs.ts';
export { comparisonMarkdown, matchingText } from '../domain/query/comparison-text.ts';
export type { ShownChange, ShownValue } from '../domain/query/difference-excerpt.ts';
