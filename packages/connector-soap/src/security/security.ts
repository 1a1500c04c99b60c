/** The schemes of `security` (SO-S1, SO-S3). */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ServiceClientSettings } from '@fastback/service-client'
import type * as XmlCrypto from 'xml-crypto'
import { MissingPackageError, SecurityError } from '../errors.js'
import type { SecuritySettings, SoapSettings } from '../settings.js'
import { certificateToken, signEnvelope, tokenId, type SigningKey } from './signature.js'
import { usernameToken } from './username-token.js'

/** What a scheme adds to calls. */
export interface Security {
  /** Settings of the client. */
  readonly client: ServiceClientSettings
  /**
   * Makes the envelope of one message.
   * @param key the prefix of the envelope
   * @param write makes it with XML in its header
   */
  secure (key: string, write: (header: string) => string): string
}

const none = (client: ServiceClientSettings): Security => ({ client, secure: (_key, write) => write('') })

export interface SecurityContext { readonly dataSource: string, readonly baseDir: string }

/** @throws FBK_SOAP_SECURITY, FBK_SOAP_MISSING_PACKAGE */
export async function securityOf (settings: SoapSettings, context: SecurityContext): Promise<Security> {
  const { username, password } = settings
  const security = settings.security ?? (username === undefined ? undefined : { scheme: 'BasicAuth', username, password: password ?? '' })
  if (security === undefined) return none({})
  const { scheme = 'BasicAuth' } = security
  const need = <K extends keyof SecuritySettings>(name: K): NonNullable<SecuritySettings[K]> => {
    const value = security[name]
    if (value === undefined) throw new SecurityError(context.dataSource, `the scheme "${scheme}" needs "security.${name}".`)
    return value as NonNullable<SecuritySettings[K]>
  }
  switch (scheme) {
    case 'WS':
    case 'WSSecurity': {
      const token = { ...security, username: need('username'), password: need('password') }
      return { client: {}, secure: (key, write) => write(usernameToken(token, key)) }
    }
    case 'WSSecurityCert': return await signing({
      privateKey: privateKeyOf(pemOf(need('privatePEM'), context), security.password, context),
      certificate: pemOf(need('publicP12PEM'), context)
    }, context)
    case 'ClientSSL': return none(clientCertificate(security, context))
    case 'Bearer': return none({ auth: { bearer: need('token') } })
    case 'BasicAuth': return none({ auth: { user: need('username'), pass: need('password') } })
    default: {
      const what = /ntlm/i.test(scheme)
        ? 'NTLM is not offered: it needs MD4 and RC4, which no current TLS library has.'
        : `"security.scheme" is "${scheme}", and must be "WS", "WSSecurity", "WSSecurityCert", "ClientSSL", "Bearer" or "BasicAuth".`
      throw new SecurityError(context.dataSource, what)
    }
  }
}

async function signing (key: SigningKey, { dataSource }: SecurityContext): Promise<Security> {
  const xmlCrypto = await import('xml-crypto').catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MissingPackageError(dataSource, 'the scheme "WSSecurityCert"', 'xml-crypto')
  }) as typeof XmlCrypto
  return {
    client: {},
    secure (prefix, write) {
      const id = tokenId()
      return signEnvelope(xmlCrypto, key, write(certificateToken(key, prefix, id)), prefix, id)
    }
  }
}

function privateKeyOf (key: string, passphrase: string | undefined, { dataSource }: SecurityContext): KeyObject {
  try {
    return createPrivateKey({ key, ...passphrase === undefined ? {} : { passphrase } })
  } catch {
    throw new SecurityError(dataSource, '"security.privatePEM" is no private key that "security.password" opens.')
  }
}

function clientCertificate (
  { key, keyPath, cert, certPath, ca, pfx, passphrase }: SecuritySettings, context: SecurityContext
): ServiceClientSettings {
  const given = { key: keyPath ?? key, cert: certPath ?? cert }
  if (pfx === undefined && (given.key === undefined || given.cert === undefined)) {
    throw new SecurityError(context.dataSource, 'the scheme "ClientSSL" needs "security.key" with "security.cert", or "security.pfx".')
  }
  return {
    ...given.key === undefined ? {} : { key: pemOf(given.key, context) },
    ...given.cert === undefined ? {} : { cert: pemOf(given.cert, context) },
    ...ca === undefined ? {} : { ca: [ca].flat().map(each => pemOf(each, context)) },
    ...pfx === undefined ? {} : { pfx: typeof pfx === 'string' ? readFileSync(path.resolve(context.baseDir, pfx)) : pfx },
    ...passphrase === undefined ? {} : { passphrase }
  }
}

/** A text that is no PEM is the file that holds it. */
function pemOf (given: string | Uint8Array, { baseDir }: SecurityContext): string {
  if (typeof given !== 'string') return Buffer.from(given).toString('utf8')
  return given.includes('-----BEGIN') ? given : readFileSync(path.resolve(baseDir, given), 'utf8')
}
