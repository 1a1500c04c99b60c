/** The schemes of `security` (service-connectors.md, SO-S1, SO-S3). */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:https'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SignedXml } from 'xml-crypto'
import t from 'tap'
import { readXmlNow } from '../src/xml/read-xml.js'
import { envelope, send, serve, textWsdl, use } from './service.js'

const folder = mkdtempSync(path.join(tmpdir(), 'fastback-soap-'))
t.teardown(() => { rmSync(folder, { recursive: true }) })
const file = (name: string): string => path.join(folder, name)
execFileSync('openssl', [
  'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', file('key.pem'), '-out', file('cert.pem'), '-days', '2',
  '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'
], { stdio: 'ignore' })
const key = readFileSync(file('key.pem'), 'utf8')
const cert = readFileSync(file('cert.pem'), 'utf8')
const answer = envelope('<s:EchoResponse><s:Text>yes</s:Text></s:EchoResponse>')

t.test('Basic and Bearer, also with the name at the top', async t => {
  const { url, requests } = await serve(t, textWsdl, (_, response) => { send(response, answer) })
  const sent = async (settings: object): Promise<string | undefined> => {
    await (await use(t, { url, ...settings })).Model.Echo({})
    return requests.at(-1)?.headers.authorization
  }
  const basic = `Basic ${Buffer.from('ann:pw').toString('base64')}`
  t.equal(await sent({ username: 'ann', password: 'pw' }), basic)
  t.equal(await sent({ security: { scheme: 'BasicAuth', username: 'ann', password: 'pw' } }), basic)
  t.equal(await sent({ security: { username: 'ann', password: 'pw' } }), basic)
  t.equal(await sent({ security: { scheme: 'Bearer', token: 'tok' } }), 'Bearer tok')
})

t.test('WSSecurityCert signs the body and the time', async t => {
  const { url, requests } = await serve(t, textWsdl, (_, response) => { send(response, answer) })
  const security = { scheme: 'WSSecurityCert', privatePEM: key, publicP12PEM: file('cert.pem') }
  const { Model } = await use(t, { url, security })
  await Model.Echo({ Text: 'signed & sealed' })
  const sent = requests[0]?.body ?? ''
  const signature = /<(?:\w+:)?Signature [\s\S]*<\/(?:\w+:)?Signature>/.exec(sent)?.[0] ?? ''
  const verify = (xml: string): boolean => {
    const check = new SignedXml({ publicCert: cert, idMode: 'wssecurity' })
    check.loadSignature(signature)
    try {
      return check.checkSignature(xml) && check.getSignedReferences().length === 2
    } catch {
      return false
    }
  }
  t.ok(readXmlNow(sent))
  t.ok(verify(sent))
  t.notOk(verify(sent.replace('sealed', 'opened')))
  t.notOk(verify(sent.replace(/(Expires>)2/, '$13')))
})

t.test('ClientSSL shows a certificate, of files or texts', async t => {
  const options = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true }
  const server = createServer(options, (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/xml' }).end(answer)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { url: plain } = await serve(t, textWsdl, () => {})
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
  const wsdl = `${plain}?wsdl`
  for (const how of [{ keyPath: file('key.pem'), certPath: file('cert.pem'), ca: file('cert.pem') }, { key, cert, ca: [cert] }]) {
    const { Model } = await use(t, { url, wsdl, security: { scheme: 'ClientSSL', ...how } })
    t.strictSame((await Model.Echo({})).result, { Text: 'yes' })
  }
  const { Model } = await use(t, { url, wsdl, ca: cert })
  await t.rejects(Model.Echo({}), { statusCode: 502, code: 'BAD_GATEWAY' })
})

t.test('schemes that are unknown or say too little stop the start', async t => {
  const { url } = await serve(t, textWsdl, () => {})
  const refused = async (security: object, message: RegExp): Promise<void> => {
    await t.rejects(use(t, { url, security }), { code: 'FBK_SOAP_SECURITY', message })
  }
  await refused({ scheme: 'NTLM', username: 'a' }, /NTLM is not offered/)
  await refused({ scheme: 'Kerberos' }, /must be "WS"/)
  await refused({ scheme: 'WS', username: 'a' }, /security\.password/)
  await refused({ scheme: 'Bearer' }, /security\.token/)
  await refused({ scheme: 'ClientSSL', key }, /security\.cert/)
  await refused({ scheme: 'WSSecurityCert', privatePEM: '-----BEGIN x', publicP12PEM: cert }, /no private key/)
  await t.rejects(use(t, { url, security: { scheme: 'WS', other: 1 } }), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS' })
})
