// The licences of the packages that Rowbench is made with: a file of the pages that the build wrote.

export type Licence = {
  readonly name: string;
  readonly version: string;
  /** Its short name, `MIT` say. */
  readonly licence: string;
  readonly text: string;
};

/** Throws where the file cannot be had. */
export async function fetchLicences(send: typeof fetch = fetch): Promise<readonly Licence[]> {
  const response = await send('/licences.json');
  if (!response.ok) throw new Error('The list of licences is not part of this build');
  return (await response.json()) as Licence[];
}
