/**
 * Which rows of all a page has, as people read it: `Rows 26 to 50 of 1,000,000`.
 * @param total undefined where nobody counted
 */
export function rowsRange (skip: number, shown: number, total: number | undefined): string {
  const range = shown === 0 ? 'No rows' : `Rows ${inGroups(skip + 1)} to ${inGroups(skip + shown)}`
  return total === undefined ? range : `${range} of ${inGroups(total)}`
}

const inGroups = (count: number): string => count.toLocaleString('en')
