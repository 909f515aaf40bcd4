/** The id of the key that a server was given from outside; it is not stored and cannot be revoked. */
export const fixedKeyId = 'environment';
