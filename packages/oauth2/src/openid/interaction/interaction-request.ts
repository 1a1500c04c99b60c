/** What an authorization request wants of the user: `prompt`, `max_age`, `acr_values` (OI-90, OI-96, OI-97, OI-100). */
import type { Client } from '../../clients/client.js'
import { InvalidRequest } from '../../errors.js'
import type { Parameters } from '../../http/parameters.js'
import type { AcrWish } from './levels.js'

export const prompts = ['none', 'login', 'consent', 'select_account', 'create'] as const
export type Prompt = typeof prompts[number]

/** Plain data: it waits in the data source with the rest of the request. */
export interface InteractionRequest {
  readonly prompts: readonly Prompt[]
  /** Seconds. */
  readonly maxAge?: number
  readonly acr?: AcrWish
  /** Subjects one of whom must be logged in: those of `id_token_hint` (OI-99) and of the claim `sub` (OI-82). */
  readonly subjects?: readonly string[]
  /** Names the request among those that wait: the digest of its parameters. */
  readonly key: string
  /** Logins and choices that it stands on, once the user has been asked. */
  readonly marks?: readonly string[]
}

/** What the parameters alone do not say. */
export interface InteractionParts {
  /** Whether there is a page where accounts are made. */
  readonly canRegister: boolean
  readonly digest: (text: string) => string
  /** What `claims.id_token.acr` asks for (OI-83). */
  readonly acr?: AcrWish | undefined
  readonly subjects?: readonly string[] | undefined
}

/**
 * ```js
 * interactionOf(parameters, client, { canRegister: false, digest }).prompts // ['login', 'consent']
 * ```
 * @throws InvalidRequest for values that are unknown, repeated or do not go together, and an age that is no whole
 * number
 */
export function interactionOf (parameters: Parameters, client: Client,
  { canRegister, digest, acr, subjects }: InteractionParts): InteractionRequest {
  const maxAge = maxAgeOf(parameters.get('max_age')) ?? wholeNumber(client.row.defaultMaxAge)
  const wish = acr ?? voluntary(parameters.get('acr_values')?.split(' ') ?? client.row.defaultAcrValues)
  return {
    prompts: promptsOf(parameters.get('prompt'), canRegister),
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(wish === undefined ? {} : { acr: wish }),
    ...(subjects === undefined ? {} : { subjects }),
    key: requestKey(parameters.toObject(), digest)
  }
}

/** Names a request by its parameters, in whatever order they come. */
export const requestKey = (parameters: Readonly<Record<string, string>>, digest: (text: string) => string): string =>
  digest(JSON.stringify(Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1)))

function promptsOf (text: string | undefined, canRegister: boolean): readonly Prompt[] {
  if (text === undefined) return []
  const given = text.split(' ')
  const isKnown = (value: string): value is Prompt =>
    (prompts as readonly string[]).includes(value) && (value !== 'create' || canRegister)
  if (!given.every(isKnown)) throw new InvalidRequest('The parameter prompt has a value that is not supported.')
  if (new Set(given).size < given.length) throw new InvalidRequest('The parameter prompt has a value twice.')
  if (given.includes('none') && given.length > 1) {
    throw new InvalidRequest('The parameter prompt cannot be none and something else.')
  }
  return given
}

function maxAgeOf (text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,10}$/.test(text)) throw new InvalidRequest('The parameter max_age must be a whole number of seconds.')
  return Number(text)
}

const wholeNumber = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 0 ? value as number : undefined

/** At most twenty are looked at. */
const mostValues = 20

function voluntary (values: unknown): AcrWish | undefined {
  const texts = Array.isArray(values)
    ? values.filter(value => typeof value === 'string' && value !== '').slice(0, mostValues)
    : []
  return texts.length === 0 ? undefined : { values: texts as string[], essential: false }
}
