/** Login by assertions of SAML 2.0 (login.md, section 10), through `@node-saml/node-saml`. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sha256 } from '@fastback/core/connector'
import type { Profile as SamlProfile, SAML, SamlConfig } from '@node-saml/node-saml'
import type { Entry } from '../entry.js'
import { textOf } from '../entry-values.js'
import { InvalidProviderError, LoginFailure, PackageMissingError } from '../errors.js'
import { idOf, type Profile } from '../profile.js'
import type { State, States } from '../states.js'
import type { Visit } from '../visit.js'
import type { Proven, Redirecting, Started } from './kind.js'

type Library = typeof import('@node-saml/node-saml')

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const objectId = 'http://schemas.microsoft.com/identity/claims/objectidentifier'
/** Milliseconds that clocks may differ, and that assertions are remembered for. */
const skew = 60_000
const remembered = 86_400_000

export class SamlKind implements Redirecting {
  readonly #library: Library

  constructor (readonly entry: Entry, library: Library, readonly states: States) {
    this.#library = library
    const { options, name } = entry
    if (textOf(options.entryPoint) === undefined) throw new InvalidProviderError(name, '"entryPoint" is missing.')
    this.#config('http://localhost/')
  }

  /** @throws FBK_LOGIN_PACKAGE_MISSING, FBK_LOGIN_INVALID_PROVIDER */
  static async load (entry: Entry, states: States, warn: (message: string) => void): Promise<SamlKind> {
    let library
    try {
      library = await import('@node-saml/node-saml')
    } catch {
      throw new PackageMissingError(entry.name, '@node-saml/node-saml', '@node-saml/node-saml@5')
    }
    const { identifierFormat, idAttribute } = entry.options
    if (identifierFormat === transient && textOf(idAttribute) === undefined) {
      warn(`login: "${entry.name}" asks for transient names, which differ at every login: give "idAttribute"`)
    }
    return new SamlKind(entry, library, states)
  }

  #config (callbackUrl: string, requestId?: string): SamlConfig {
    const { name, options } = this.entry
    const file = (key: string): string | undefined =>
      typeof options[key] === 'string' ? readFileSync(options[key], 'utf8') : undefined
    const idpCert = (options.idpCert ?? options.cert ?? file('certPath')) as string | string[] | undefined
    if (idpCert === undefined) throw new InvalidProviderError(name, '"idpCert" is missing: the key that assertions are signed with.')
    if (options.signatureAlgorithm === 'sha1') throw new InvalidProviderError(name, '"signatureAlgorithm" is sha256 or sha512.')
    const issuer = textOf(options.issuer) ?? callbackUrl
    const privateKey = options.privateKey ?? options.privateCert ?? file('privateCertPath')
    const decryptionPvk = options.decryptionPvk ?? file('decryptionPvkPath')
    return {
      entryPoint: options.entryPoint as string,
      issuer,
      idpCert,
      callbackUrl,
      audience: options.audience === undefined ? issuer : options.audience as string | false,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
      signatureAlgorithm: options.signatureAlgorithm === 'sha512' ? 'sha512' : 'sha256',
      acceptedClockSkewMs: skew,
      // The request is kept with the state, in the store, and looked at here.
      validateInResponseTo: this.#library.ValidateInResponseTo.never,
      disableRequestedAuthnContext: true,
      ...(options.identifierFormat === undefined
        ? {}
        : { identifierFormat: options.identifierFormat as string | null }),
      ...(privateKey === undefined ? {} : { privateKey: privateKey as string }),
      ...(decryptionPvk === undefined ? {} : { decryptionPvk: decryptionPvk as string }),
      ...(requestId === undefined ? {} : { generateUniqueId: () => requestId })
    }
  }

  async begin (_visit: Visit, redirectUri: string): Promise<Started> {
    const requestId = `_${randomBytes(20).toString('hex')}`
    const saml = new this.#library.SAML(this.#config(redirectUri, requestId))
    return { keep: { requestId }, address: state => saml.getAuthorizeUrlAsync(state, undefined, {}) }
  }

  /** Without a state where the entry lets the provider begin (`idpInitiated`). */
  async finish (_visit: Visit, parameters: URLSearchParams, state: Pick<State, 'redirectUri' | 'requestId'>): Promise<Proven> {
    const answer = parameters.get('SAMLResponse')
    if (answer === null || parameters.getAll('SAMLResponse').length !== 1) throw new LoginFailure('PROVIDER_ERROR', 'no response')
    const xml = Buffer.from(answer, 'base64').toString()
    checkText(xml)
    const saml: SAML = new this.#library.SAML(this.#config(state.redirectUri))
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer })
    if (profile === null) throw new LoginFailure('PROVIDER_ERROR', 'the response has no assertion')
    this.#check(profile, state, xml)
    const assertion = assertionOf(profile)
    if (!await this.states.once('assertion', sha256(assertion), remembered)) {
      throw new LoginFailure('STATE_INVALID', 'the assertion came before')
    }
    return { profile: this.#profile(profile), credentials: {} }
  }

  #check (profile: SamlProfile, { redirectUri, requestId }: Pick<State, 'redirectUri' | 'requestId'>, xml: string): void {
    const refuse = (what: string): never => { throw new LoginFailure('PROVIDER_ERROR', `the assertion: ${what}`) }
    const [response] = /<(?:[\w.-]{1,256}:)?Response(?=[\s>])[^<>]*>/.exec(xml) ?? refuse('no response')
    const attribute = (tag: string, name: string): string | undefined =>
      new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).find(each => each !== undefined)
    // Beside the signed assertion, where anybody on the way could change it: a failure is none, whatever came with it.
    const [status] = /<(?:[\w.-]{1,256}:)?StatusCode(?=[\s/>])[^<>]*>/.exec(xml) ?? refuse('without a status')
    if (attribute(status, 'Value') !== success) refuse('under a status that is no success')
    const destination = attribute(response, 'Destination')
    if (destination !== undefined && destination !== redirectUri) refuse('meant for another address')
    const assertion = profile.getAssertionXml?.() ?? refuse('not there')
    if (!/\sID\s*=/.test(assertion)) refuse('without an id')
    const confirmations = assertion.match(/<(?:[\w.-]{1,256}:)?SubjectConfirmationData(?=[\s/>])[^<>]*>/g) ?? []
    if (confirmations.length === 0) refuse('without a confirmation of its subject')
    for (const confirmation of confirmations) {
      if (attribute(confirmation, 'Recipient') !== redirectUri) refuse('for another recipient')
      if (attribute(confirmation, 'NotOnOrAfter') === undefined) refuse('without an end')
      const answered = attribute(confirmation, 'InResponseTo')
      if (requestId === undefined ? answered !== undefined : answered !== requestId) refuse('for another request')
    }
    const answered = attribute(response, 'InResponseTo')
    if (requestId === undefined ? answered !== undefined : answered !== undefined && answered !== requestId) {
      refuse('for another request')
    }
  }

  #profile (given: SamlProfile): Profile {
    const { idAttribute } = this.entry.options
    const attributes = (given.attributes ?? {}) as Record<string, unknown>
    const named = textOf(idAttribute)
    const id = named === undefined
      ? attributes.id ?? given.nameID ?? attributes[objectId]
      : attributes[named] ?? given[named]
    const first = (...names: string[]): string | undefined =>
      names.map(name => [attributes[name]].flat()[0]).find((value): value is string => typeof value === 'string' && value !== '')
    const email = first('email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3',
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress')
    const displayName = first('displayName', 'cn', 'name', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name')
    const username = first('username', 'uid')
    return {
      provider: this.entry.provider,
      id: idOf([id].flat()[0]),
      ...(displayName === undefined ? {} : { displayName }),
      ...(username === undefined ? {} : { username }),
      ...(email === undefined ? {} : { emails: [{ value: email }] }),
      _json: attributes
    }
  }

  async metadata (redirectUri: string): Promise<string> {
    const { decryptionCert, signingCert } = this.entry.options
    return new this.#library.SAML(this.#config(redirectUri))
      .generateServiceProviderMetadata(textOf(decryptionCert) ?? null, textOf(signingCert) ?? null)
  }
}

/** What no response has, and what wraps a foreign assertion around or beside a signed one (LG-117). */
function checkText (xml: string): void {
  const refuse = (what: string): never => { throw new LoginFailure('PROVIDER_ERROR', `the response: ${what}`) }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) refuse('with a document type')
  if (/rsa-sha1|xmldsig#sha1|dsa-sha1|hmac-sha/i.test(xml)) refuse('signed with a weak algorithm')
  const assertions = xml.match(/<(?:[\w.-]+:)?(?:Encrypted)?Assertion[\s>]/g) ?? []
  if (assertions.length !== 1) refuse('not exactly one assertion')
  if ((xml.match(/<(?:[\w.-]+:)?Response[\s>]/g) ?? []).length !== 1) refuse('not exactly one response')
}

const assertionOf = (profile: SamlProfile): string =>
  /\sID\s*=\s*["']([^"']+)["']/.exec(profile.getAssertionXml?.() ?? '')?.[1] ?? ''
