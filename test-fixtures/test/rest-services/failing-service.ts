/** Services in threads of their own, so that what they do is not measured: one that works, and one that fails. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'

const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { gzipSync } = require('node:zlib')
const megabyte = Buffer.alloc(1 << 20, '[1,2],')
const bomb = workerData.fails ? gzipSync(Buffer.alloc(100 << 20)) : undefined
let isWell = true
function answer (req, res) {
  res.setHeader('content-type', 'application/json')
  switch (req.url) {
    case '/well': isWell = true; return res.end('{}')
    case '/ill': isWell = false; return res.end('{}')
    case '/burst': return isWell ? res.end('{"ok":true}') : res.writeHead(503).end('busy')
    case '/slow': return
    case '/drip': { const timer = setInterval(() => res.write('1'), 20); return res.on('close', () => clearInterval(timer)) }
    case '/dead': return req.socket.destroy()
    case '/half': res.writeHead(200, { 'content-length': 100 }); res.write('{"a":'); return setTimeout(() => req.socket.destroy(), 5)
    case '/wrong': return res.end('"no row"')
    case '/bomb': return res.setHeader('content-encoding', 'gzip').end(bomb)
    case '/huge': {
      let left = 100
      const send = () => { while (left-- > 0) if (!res.write(megabyte)) return res.once('drain', send); res.end() }
      return send()
    }
    default: return res.end('{"ok":true}')
  }
}
const server = require('node:http').createServer(answer).listen(0, '127.0.0.1', () => {
  const secure = workerData.tls && require('node:https').createServer(workerData.tls, answer).listen(0, '127.0.0.1')
  const tell = () => parentPort.postMessage([server.address().port, secure?.address().port])
  secure ? secure.once('listening', tell) : tell()
})
`

export interface Started { readonly base: string, readonly secure: string }

export async function start (t: Test, workerData: object): Promise<Started> {
  const worker = new Worker(program, { eval: true, workerData })
  t.teardown(() => worker.terminate())
  const [[port, secure]] = await once(worker, 'message') as [[number, number | undefined]]
  return { base: `http://127.0.0.1:${port}`, secure: `https://127.0.0.1:${String(secure)}` }
}

const authority = `
[ca]
default_ca = d
[d]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = p
x509_extensions = x
[p]
commonName = supplied
[x]
subjectAltName = IP:127.0.0.1
[req]
distinguished_name = dn
[dn]
`

/** A key and a certificate of 127.0.0.1 that ended in 2020, made with openssl. */
export function expired (): { key: string, cert: string } {
  const cwd = mkdtempSync(path.join(tmpdir(), 'fastback-tls-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'ignore' })
  try {
    writeFileSync(path.join(cwd, 'ca.cnf'), authority)
    writeFileSync(path.join(cwd, 'index.txt'), '')
    writeFileSync(path.join(cwd, 'serial'), '01')
    openssl('req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem',
      '-out', 'request.pem', '-subj', '/CN=127.0.0.1', '-config', 'ca.cnf')
    openssl('ca', '-batch', '-selfsign', '-config', 'ca.cnf', '-in', 'request.pem', '-keyfile', 'key.pem', '-out', 'cert.pem',
      '-notext', '-startdate', '20200101000000Z', '-enddate', '20200102000000Z')
    const read = (file: string) => readFileSync(path.join(cwd, file), 'utf8')
    return { key: read('key.pem'), cert: read('cert.pem') }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
