/** Numbers of the rows in their original run; undefined unless every row has one and they are ascending. */
export function runNumbers(
  rows: readonly { readonly origin?: number | undefined }[],
): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const { origin } of rows) {
    if (origin === undefined || origin <= (numbers.at(-1) ?? 0)) return undefined;
    numbers.push(origin);
  }
  return numbers;
}
