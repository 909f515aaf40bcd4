/** `0 B`, `999 B`, `12.3 KB`, `4.1 GB`: decimal, as disks are sold. */
export function bytes(size: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
  let amount = Math.max(0, size);
  let unit = 0;
  while (amount >= 999.95 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[unit] ?? ''}`;
}
