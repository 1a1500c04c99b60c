export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

/** Undefined where nothing is there, or a link or something that is no folder is in the way. */
export async function unlessMissing<T> (found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG')) return undefined
    throw error
  }
}
