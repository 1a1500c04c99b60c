/** `sub`: who a user is for a client (OI-70, OI-71). */
import { createHmac } from 'node:crypto'
import type { Client } from '../clients/client.js'
import { ServerError } from '../errors.js'
import type { OpenIdSettings } from './options.js'

const form = /^[\x20-\x7e]{1,255}$/

/**
 * The sector of a client: users are the same for all clients of one sector. Undefined: the redirect URIs have several
 * hosts and no `sectorIdentifierURI` says which counts, or there are none.
 *
 * ```js
 * sectorOf({ redirectURIs: ['https://shop.example/cb'] }) // 'shop.example'
 * ```
 */
export function sectorOf ({ sectorIdentifierURI, redirectURIs }: {
  readonly sectorIdentifierURI?: unknown, readonly redirectURIs?: unknown
}): string | undefined {
  if (typeof sectorIdentifierURI === 'string' && URL.canParse(sectorIdentifierURI)) {
    return new URL(sectorIdentifierURI).host
  }
  const uris = Array.isArray(redirectURIs) ? redirectURIs as unknown[] : []
  const hosts = new Set(uris.filter(uri => typeof uri === 'string' && URL.canParse(uri)).map(uri => new URL(uri as string).host))
  return hosts.size === 1 ? [...hosts][0] : undefined
}

export class Subjects {
  constructor (readonly settings: Pick<OpenIdSettings, 'subject' | 'pairwiseSecret'>) {}

  isPairwise ({ row }: Client): boolean {
    return this.settings.pairwiseSecret !== undefined && (row.subjectType ?? this.settings.subject) === 'pairwise'
  }

  /**
   * The name of a user for a client: the id as text, or a digest that only clients of the same sector share.
   *
   * ```js
   * subjects.of(client, 7) // '7'
   * ```
   * @throws ServerError for an id that is no text of at most 255 ASCII characters, or a pairwise client without sector
   */
  of (client: Client, userId: unknown): string {
    const id = String(userId)
    if (!this.isPairwise(client)) {
      if (form.test(id)) return id
      throw new ServerError('The user cannot be named.', new Error('the id is longer than 255 characters, or not ASCII'))
    }
    const sector = sectorOf({
      sectorIdentifierURI: client.row.sectorIdentifierURI, redirectURIs: client.redirectUris
    })
    if (sector === undefined) {
      throw new ServerError(
        'The user cannot be named.',
        new Error(`the client "${client.id}" has several hosts and no sectorIdentifierURI`)
      )
    }
    return createHmac('sha256', this.settings.pairwiseSecret as string).update(`${sector}\n${id}`).digest('base64url')
  }
}
