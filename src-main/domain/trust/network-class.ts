/**
 * Kinds of addresses that a workflow's calls may reach: the internet, the private networks that this machine is in,
 * and this machine itself. Judged by the resolved address when a connection is made.
 */
export const networkClasses = ['public', 'lan', 'loopback'] as const;
export type NetworkClass = (typeof networkClasses)[number];

/** What a workflow may reach that nobody has granted more or less. */
export const defaultNetwork: readonly NetworkClass[] = ['public'];
