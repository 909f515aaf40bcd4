/**
 * Where the answers to calls come from: `live` from the services called; `record` too, and they are kept in the
 * workflow's cassette; `replay` from the cassette alone; `mocks` from the nodes' mocks alone.
 */
export const runModes = ['live', 'record', 'replay', 'mocks'] as const;
export type RunMode = (typeof runModes)[number];
