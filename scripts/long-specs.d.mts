/** API specs of eight seconds or more, the longest first. */
export const longApiSpecs: readonly string[];
