// The one barrel: what a client of the control API may know.
export * from './procedures.ts';
export * from './run-inputs.ts';
export * from './start-input.ts';
export type * from './row-inputs.ts';
export type * from './row-views.ts';
export type * from './kept-run-view.ts';
export type * from './key-test.ts';
export type * from './secret-view.ts';
export type * from './settings-view.ts';
export type * from './trace-views.ts';
export type * from './views.ts';
export type * from './workflow-views.ts';
export type * from './live.ts';
export { runModes, type RunMode } from '../domain/run/run-mode.ts';
export { rowFilters, type RowChoice, type RowFilter } from '../domain/run/row-filter.ts';
export { canMove, isFinal, runStatuses, type RunMove, type RunStatus } from '../domain/run/run-status.ts';
export { fixedKeyId } from '../domain/keys/fixed-key.ts';
export { defaultPort, settingEffects } from '../domain/setting-effects.ts';
