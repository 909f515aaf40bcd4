/** The workflow that a first start leaves, for the app to show the way with. */
export const sampleId = 'score-leads';

/** The name of the key that a first start makes, and prints. */
export const firstKeyName = 'First key';
