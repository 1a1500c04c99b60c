/** Removes what has expired (O-275): at most every ten minutes, some hundred rows at a time. */
import type { ModelClass, Row } from '@fastback/core'
import { deleteRows, findRows } from '@fastback/core/remote'

const quiet = { notify: false }
const batch = 500
export const cleanUpInterval = 600_000

/** Removes rows that match, batch by batch. */
async function remove (Model: ModelClass, where: object): Promise<void> {
  for (;;) {
    const rows: Row[] = await findRows(Model.compiled, { where, fields: ['id'], limit: batch }, quiet)
    if (rows.length > 0) await deleteRows(Model.compiled, { id: { inq: rows.map(({ id }) => id) } }, quiet)
    if (rows.length < batch) return
  }
}

/** Codes and refresh tokens stay as used until they would have expired: only then is presenting them again harmless. */
export async function cleanUp ({ Token, Code, State }: {
  readonly Token: ModelClass,
  readonly Code: ModelClass,
  readonly State: ModelClass
}): Promise<void> {
  const past = { lt: new Date() }
  await remove(State, { expiredAt: past })
  await remove(Code, { expiredAt: past })
  await remove(Token, {
    and: [{ expiredAt: past }, { or: [{ refreshTokenExpiredAt: null }, { refreshTokenExpiredAt: past }] }]
  })
}
