/** The message of a caught error, or the text of a value that is not an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
