/** Routes of addresses that a model signs itself, for providers that sign none (storage.md, SD-12, SS-17). */
import type { AclDefinition, RemoteMethodOptions } from '@fastback/core'

const container = { arg: 'container', type: 'string', required: true, http: { source: 'path' } } as const
const file = { arg: 'file', type: 'string', required: true, http: { source: 'path' } } as const
const req = { arg: 'req', type: 'object', http: { source: 'req' } } as const
const res = { arg: 'res', type: 'object', http: { source: 'res' } } as const

/** Read from the address itself: whatever is wrong with one is one response. For the description of the API. */
const query = (arg: string, description: string) =>
  ({ arg, type: 'any', description, http: { source: 'query' } }) as const
const signature = [
  query('expires', 'When the address ends, in seconds since 1970'),
  query('type', 'The media type that must be sent'),
  query('signature', 'What stands in the place of an access token')
] as const

/**
 * The signature is the access decision: it was made when the address was. A rule of the model that names one of the two
 * methods still closes it.
 */
export const open = (property: string): AclDefinition[] =>
  [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property }]

const refused = 'The address is not signed for this request, or not any more'

/** `accepts` hands over what the methods take first; the parts of the signature come behind. */
export const signedRoutes: Readonly<Record<'downloadSigned' | 'uploadSigned', RemoteMethodOptions & { http: { path: string } }>> = {
  downloadSigned: {
    description: 'Sends the file of a signed address',
    accepts: [container, file, req, res, ...signature],
    http: { verb: 'get', path: '/:container/signed/:file' },
    accessType: 'READ',
    acls: open('downloadSigned'),
    responses: {
      200: { description: 'The file', body: { type: '*/*', schema: { type: 'string', format: 'binary' } } },
      403: refused
    }
  },
  uploadSigned: {
    description: 'Stores the body under the name of a signed address',
    accepts: [container, file, req, res, ...signature],
    requestBody: { type: '*/*', schema: { type: 'string', format: 'binary' } },
    returns: { arg: 'file', type: 'object', root: true },
    http: { verb: 'put', path: '/:container/signed/:file' },
    accessType: 'EXECUTE',
    acls: open('uploadSigned'),
    responses: {
      403: refused,
      409: 'Something that is no file is in the way',
      413: 'The file is too large',
      415: 'The file is not of a type that is taken',
      503: 'Too many uploads at a time',
      507: 'There is no room left'
    }
  }
}
