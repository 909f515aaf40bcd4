import packageFile from '../../package.json' with { type: 'json' };

/** Rowbench's own version, as its package names it. */
export const version: string = packageFile.version;
