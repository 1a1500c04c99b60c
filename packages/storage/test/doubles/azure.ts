/**
 * A double of Azure Blob Storage: as much of its REST API as the driver asks for over Microsoft's own client. It is no
 * evidence about Azure, and looks at no signature of the account; Azurite, which does, is 185 MB and calls home, so it
 * is not among the dependencies: `FASTBACK_TEST_AZURE=<connection string>` runs the cases on it, or on Azure.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Blob { readonly content: Buffer, readonly type: string, readonly etag: string, readonly changed: Date }
interface Container {
  readonly made: Date
  readonly blobs: Map<string, Blob>
  readonly blocks: Map<string, Map<string, Buffer>>
}

export interface AzureDouble { readonly connectionString: string, close (): Promise<void> }

const account = 'devstoreaccount1'
const xml = (text: string): string => text.replace(/[<>&'"]/g, c => `&#${c.charCodeAt(0)};`)

export async function azureDouble (): Promise<AzureDouble> {
  const containers = new Map<string, Container>()
  let count = 0

  const refuse = (res: ServerResponse, status: number, code: string): void => {
    res.writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
  }
  const said = ({ etag, changed }: Blob): Record<string, string> => ({ etag: `"${etag}"`, 'last-modified': changed.toUTCString() })
  const store = (container: Container, name: string, content: Buffer, type: string): Blob => {
    const blob = { content, type, etag: `0x${(++count).toString(16)}`, changed: new Date() }
    container.blobs.set(name, blob)
    // Whatever was staged for the name goes with a commit.
    container.blocks.delete(name)
    return blob
  }

  const list = ({ blobs }: Container, query: URLSearchParams): string => {
    const after = query.get('marker') ?? ''
    const names = [...blobs.keys()].sort().filter(name => name.startsWith(query.get('prefix') ?? '') && name > after)
    const page = names.filter(name => !name.includes('/')).slice(0, 3)
    const folders = new Set(names.filter(name => name.includes('/')).map(name => name.slice(0, name.indexOf('/') + 1)))
    const rows = page.map(name => {
      const { content, type, etag, changed } = blobs.get(name) as Blob
      return `<Blob><Name>${xml(name)}</Name><Properties><Last-Modified>${changed.toUTCString()}</Last-Modified><Etag>${etag}</Etag><Content-Length>${content.length}</Content-Length><Content-Type>${xml(type)}</Content-Type><BlobType>BlockBlob</BlobType></Properties></Blob>`
    })
    const more = names.filter(name => !name.includes('/')).length > page.length
    return `<?xml version="1.0"?><EnumerationResults ServiceEndpoint="x" ContainerName="x"><Delimiter>/</Delimiter><Blobs>${[...folders].map(name => `<BlobPrefix><Name>${xml(name)}</Name></BlobPrefix>`).join('')}${rows.join('')}</Blobs><NextMarker>${more ? xml(page.at(-1) as string) : ''}</NextMarker></EnumerationResults>`
  }

  const ofContainer = (req: IncomingMessage, res: ServerResponse, name: string, query: URLSearchParams): void => {
    const found = containers.get(name)
    if (req.method === 'PUT') {
      if (found !== undefined) { refuse(res, 409, 'ContainerAlreadyExists'); return }
      if (!/^[a-z\d-]{3,63}$/.test(name)) { refuse(res, 400, 'InvalidResourceName'); return }
      const made = new Date()
      containers.set(name, { made, blobs: new Map(), blocks: new Map() })
      res.writeHead(201, { etag: '"c"', 'last-modified': made.toUTCString() }).end()
    } else if (found === undefined) refuse(res, 404, 'ContainerNotFound')
    else if (query.get('comp') === 'list') res.writeHead(200, { 'content-type': 'application/xml' }).end(list(found, query))
    else if (req.method === 'DELETE') {
      containers.delete(name)
      res.writeHead(202).end()
    } else res.writeHead(200, { etag: '"c"', 'last-modified': found.made.toUTCString() }).end()
  }

  const takeBlob = (
    req: IncomingMessage, res: ServerResponse, container: Container, name: string, query: URLSearchParams, body: Buffer
  ): void => {
    const staged = container.blocks.get(name) ?? new Map<string, Buffer>()
    const type = String(req.headers['x-ms-blob-content-type'] ?? req.headers['content-type'])
    if (query.get('comp') === 'block') {
      container.blocks.set(name, staged.set(query.get('blockid') as string, body))
      res.writeHead(201).end()
    } else if (query.get('comp') === 'blocklist') {
      const ids = [...body.toString().matchAll(/<Latest>([^<]*)<\/Latest>/g)].map(([, id]) => id as string)
      if (ids.some(id => !staged.has(id))) refuse(res, 400, 'InvalidBlockList')
      else {
        const content = Buffer.concat(ids.map(id => staged.get(id) as Buffer))
        res.writeHead(201, said(store(container, name, content, type))).end()
      }
    } else if (req.headers['x-ms-blob-type'] !== 'BlockBlob') refuse(res, 400, 'MissingRequiredHeader')
    else res.writeHead(201, said(store(container, name, body, type))).end()
  }

  const answer = (req: IncomingMessage, res: ServerResponse, body: Buffer): void => {
    const { pathname, searchParams: query } = new URL(req.url as string, 'http://x')
    const [, , container = '', ...rest] = pathname.split('/').map(decodeURIComponent)
    const name = rest.join('/')
    // A signed address: for its verb and until its end.
    if (query.has('sig') && (Date.parse(query.get('se') as string) < Date.now() || !query.get('sp')?.includes(req.method === 'PUT' ? 'w' : 'r'))) {
      refuse(res, 403, 'AuthorizationPermissionMismatch')
      return
    }
    if (!query.has('sig') && req.headers.authorization?.startsWith(`SharedKey ${account}:`) !== true) { refuse(res, 403, 'AuthenticationFailed'); return }
    if (container === '') {
      const rows = [...containers].map(([name, { made }]) => `<Container><Name>${xml(name)}</Name><Properties><Last-Modified>${made.toUTCString()}</Last-Modified><Etag>c</Etag></Properties></Container>`)
      res.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?><EnumerationResults ServiceEndpoint="x"><Containers>${rows.join('')}</Containers><NextMarker/></EnumerationResults>`)
      return
    }
    if (name === '') { ofContainer(req, res, container, query); return }
    const found = containers.get(container)
    if (found === undefined) { refuse(res, 404, 'ContainerNotFound'); return }
    if (req.method === 'PUT') { takeBlob(req, res, found, name, query, body); return }
    const blob = found.blobs.get(name)
    if (blob === undefined) { refuse(res, 404, 'BlobNotFound'); return }
    if (req.method === 'DELETE') {
      found.blobs.delete(name)
      res.writeHead(202).end()
      return
    }
    const { 'if-match': wanted } = req.headers
    if (wanted !== undefined && wanted !== `"${blob.etag}"`) { refuse(res, 412, 'ConditionNotMet'); return }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(String(req.headers['x-ms-range'] ?? req.headers.range ?? '')) ?? []
    const part = from === undefined ? blob.content : blob.content.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
    res.writeHead(from === undefined ? 200 : 206, { ...said(blob), 'content-type': blob.type, 'content-length': part.length, 'x-ms-blob-type': 'BlockBlob' })
    res.end(req.method === 'HEAD' ? undefined : part)
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => { chunks.push(chunk) }).on('error', () => {})
    req.on('end', () => { answer(req, res, Buffer.concat(chunks)) })
  })
  // On a busy machine a test pauses for longer than Node's five seconds.
  server.keepAliveTimeout = 60_000
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as AddressInfo
  return {
    connectionString: `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${Buffer.from('a key of the double').toString('base64')};BlobEndpoint=http://127.0.0.1:${port}/${account};`,
    async close () {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
