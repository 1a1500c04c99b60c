/** What is checked and changed when a client application is saved. */
import { authService } from '@fastback/auth/service'
import { RequestError, type HookContext, type ModelClass } from '@fastback/core'
import { redirectUriFault } from '../checks/redirect-uri.js'

type Fields = Record<string, unknown>

export const refusedClient = (fault: string): RequestError =>
  new RequestError(422, fault, { name: 'ValidationError', code: 'INVALID_CLIENT_METADATA' })

export function setUpClient (Client: ModelClass): void {
  Client.observe('before save', async (context: HookContext) => {
    const data = (context.instance ?? context.data) as Fields
    const fault = await faultOf(data, Client.settings.allowInsecureRedirects === true)
    if (fault !== undefined) throw refusedClient(fault)
    const { clientSecret } = data
    // A text of the PHC form is a hash already: data that is moved, or a whole row that is saved again.
    if (typeof clientSecret === 'string' && clientSecret !== '' && !/^\$[a-z0-9-]+\$/.test(clientSecret)) {
      data.clientSecret = await authService(Client.registry).hasher.hash(clientSecret)
    }
  })
}

async function faultOf (data: Fields, insecure: boolean): Promise<string | undefined> {
  if (data.tokenType === 'mac') return 'tokenType "mac" is not supported'
  for (const uri of Array.isArray(data.redirectURIs) ? data.redirectURIs as unknown[] : []) {
    const fault = redirectUriFault(uri, insecure)
    if (fault !== undefined) return `redirectURIs: ${fault}`
  }
  const keys = [data.jwks, data.publicKey].filter(key => key !== undefined && key !== null && key !== '')
  if (keys.length === 0) return undefined
  // The library for keys is not loaded by folders that only name the model.
  const { keyFault } = await import('../clients/keys.js')
  return keys.map(keyFault).find(fault => fault !== undefined)
}
