// Names of profiles and of their file, apart from their schema: threads that start quickly load no schema library.

/** The file of profiles in a folder of workflows. */
export const profilesFileName = 'profiles.yaml';

export const profileNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
