/** Whom a connection is for, where the data source does not say. */
import { userInfo } from 'node:os'

/**
 * The user as psql has it: the one that is written, else `PGUSER`, else that of the operating system; undefined where
 * there is none of them.
 *
 * ```js
 * userOf('ann') // 'ann'
 * userOf(undefined, { PGUSER: 'ci' }) // 'ci'
 * ```
 */
export function userOf (
  written: string | undefined, env: Readonly<Record<string, string | undefined>> = process.env
): string | undefined {
  return written ?? (env.PGUSER || undefined) ?? ofSystem()
}

function ofSystem (): string | undefined {
  try {
    return userInfo().username
  } catch {
    // Containers run processes under numbers that have no name.
    return undefined
  }
}
