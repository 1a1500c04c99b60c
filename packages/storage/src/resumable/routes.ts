/** The routes of resumable uploads. Rules and hooks for `upload` hold for each of them, and closing it closes them. */
import type { RemoteMethodOptions } from '@fastback/core'

const container = { arg: 'container', type: 'string', required: true, http: { source: 'path' } } as const
const upload = { arg: 'upload', type: 'string', required: true, http: { source: 'path' } } as const
const req = { arg: 'req', type: 'object', http: { source: 'req' } } as const
const res = { arg: 'res', type: 'object', http: { source: 'res' } } as const
/** Read from the request, with what is wrong with it; here for the description. */
const header = (name: string, description: string) =>
  ({ arg: name, type: 'string', description, http: { source: 'header' } }) as const
const version = header('Tus-Resumable', 'The version of the protocol: 1.0.0')

const common = { aliases: ['upload'], accessType: 'EXECUTE' }
const path = '/:container/resumable'
const one = `${path}/:upload`
const bytes = { type: 'application/offset+octet-stream', schema: { type: 'string', format: 'binary' } } as const

const answered = { 'Tus-Resumable': 'The version of the protocol' } as const
const offset = { 'Upload-Offset': 'Bytes that are there' } as const
const expires = { 'Upload-Expires': 'Until when the upload can go on' } as const
const stored = { 'Upload-File': 'The name of the stored file, percent-encoded, once it is whole' } as const
const noVersion = { 412: 'Another version of the protocol, or none' } as const
const refused = {
  ...noVersion,
  408: 'Nothing came for too long; what came before is kept',
  413: 'The file is too large',
  415: 'The file is not of a type that is taken',
  503: 'Too many uploads at a time',
  507: 'There is no room left'
} as const

export const resumableRoutes = {
  beginUpload: {
    ...common,
    description: 'Begins an upload that can go on after a cut (tus 1.0)',
    notes: 'The body may have the first bytes, as application/offset+octet-stream.',
    accepts: [
      container, req, res, version, header('Upload-Length', 'Bytes of the file'),
      header('Upload-Metadata', 'filename and filetype, each with its value in Base64: filename bWUucG5n,filetype aW1hZ2UvcG5n')
    ],
    http: { verb: 'post', path, status: 201 },
    responses: {
      201: {
        description: 'It has begun',
        headers: { ...answered, ...offset, ...expires, ...stored, Location: 'The address of the upload' }
      },
      ...refused
    }
  },
  statUpload: {
    ...common,
    description: 'Tells how far an upload is',
    accepts: [container, upload, req, res, version],
    http: { verb: 'head', path: one },
    responses: {
      204: {
        description: 'How far it is',
        headers: {
          ...answered, ...offset, ...stored, 'Upload-Length': 'Bytes of the file', 'Upload-Metadata': 'As it was given'
        }
      },
      ...noVersion
    }
  },
  continueUpload: {
    ...common,
    description: 'Takes the next bytes of an upload',
    accepts: [container, upload, req, res, version, header('Upload-Offset', 'Bytes that are there already')],
    requestBody: bytes,
    http: { verb: 'patch', path: one },
    responses: {
      204: { description: 'They are there', headers: { ...answered, ...offset, ...expires, ...stored } },
      409: 'The upload has another number of bytes, or something is in the way of the file',
      ...refused
    }
  },
  cancelUpload: {
    ...common,
    description: 'Gives an upload up',
    accepts: [container, upload, req, res, version],
    http: { verb: 'delete', path: one },
    responses: { 409: 'It is a file already', ...noVersion }
  },
  describeUpload: {
    ...common,
    description: 'Tells what is offered of the protocol',
    accepts: [container, req, res],
    http: [{ verb: 'options', path }, { verb: 'options', path: one }],
    responses: {
      204: {
        description: 'What is offered',
        headers: {
          ...answered,
          'Tus-Version': 'Versions of the protocol',
          'Tus-Extension': 'Extensions of the protocol',
          'Tus-Max-Size': 'Bytes of a file'
        }
      }
    }
  }
} satisfies Record<string, RemoteMethodOptions>
