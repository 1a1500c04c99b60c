/** Envelopes that are signed with a certificate (SO-S1 `WSSecurityCert`; OASIS WSS X.509 Token Profile 1.0). */
import { randomUUID, type KeyObject } from 'node:crypto'
import type * as XmlCrypto from 'xml-crypto'
import { base64Encoding, securityHeader, timestamp, wsseUri } from './username-token.js'

const tokenProfile = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3'
const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256'
const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

const body = '/*/*[local-name(.)="Body"]'
const security = '/*/*/*[local-name(.)="Security"]'

export interface SigningKey {
  readonly privateKey: KeyObject
  /** PEM. */
  readonly certificate: string
}

const bytesOf = (certificate: string): string => certificate.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, '')

/** What goes into the header before the envelope is signed. */
export function certificateToken ({ certificate }: SigningKey, key: string, id: string): string {
  const token = `<wsse:BinarySecurityToken EncodingType="${base64Encoding}" ValueType="${tokenProfile}" wsu:Id="${id}">` +
    `${bytesOf(certificate)}</wsse:BinarySecurityToken>`
  return securityHeader(token + timestamp(Date.now()), key, true)
}

/**
 * Signs the body and the time of an envelope that holds `certificateToken`.
 * @param key the prefix of the envelope
 * @param id of the token
 */
export function signEnvelope (
  { SignedXml }: typeof XmlCrypto, signing: SigningKey, envelope: string, key: string, id: string
): string {
  const signer = new SignedXml({
    privateKey: signing.privateKey,
    signatureAlgorithm,
    canonicalizationAlgorithm: canonical,
    idMode: 'wssecurity',
    getKeyInfoContent: () => `<wsse:SecurityTokenReference xmlns:wsse="${wsseUri}">` +
      `<wsse:Reference URI="#${id}" ValueType="${tokenProfile}"/></wsse:SecurityTokenReference>`
  })
  for (const xpath of [body, `${security}/*[local-name(.)="Timestamp"]`]) {
    signer.addReference({ xpath, transforms: [canonical], digestAlgorithm })
  }
  signer.computeSignature(envelope, {
    location: { reference: security, action: 'append' },
    existingPrefixes: { wsse: wsseUri }
  })
  return signer.getSignedXml()
}

/** A new name for the token of one message. */
export const tokenId = (): string => `x509-${randomUUID()}`
