/** What was given out to a client that is gone ends (OI-200). */
import { deleteRows, updateRows } from '@fastback/core/remote'
import type { Provider } from '../provider.js'
import { ended } from '../stores/grants.js'

const quiet = { notify: false }

/**
 * Ends codes, tokens and consents of a client. The client is removed before: nothing new is made of what is ended here.
 *
 * ```js
 * await endClient(provider, 'shop')
 * ```
 */
export async function endClient ({ models: { Code, Token, Permission } }: Provider, appId: string): Promise<void> {
  await updateRows(Code.compiled, { appId, used: false }, { used: true }, quiet)
  await updateRows(Token.compiled, { appId }, ended, quiet)
  await deleteRows(Permission.compiled, { appId })
}
