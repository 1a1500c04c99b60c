import { ARTICLE_WORDS, FAR, YEARS, categoryNames } from './articles.js'
import { COUNTS, makeProduct } from './data.js'
import { OWN_TASKS, ownTaskId } from './tasks.js'

const { products, categories } = COUNTS

/**
 * A load makes the parameters of one request; a server's adapter makes the request out of them (see dialect.js).
 * @typedef {object} Load
 * @property {string} id
 * @property {keyof import('./servers/index.js').SUITES} suite of the same servers
 * @property {string} title
 * @property {boolean} [writes] whether it adds rows, which are taken away afterwards
 * @property {boolean} [needsToken] whether its requests have a token
 * @property {boolean} [newToken] whether each measurement begins with a token of its own
 * @property {boolean} [usesUp] whether each request uses up something that is made before the measurement (`supply`)
 * @property {number} [target] the ratio that it is to have
 * @property {(answer: any) => any} [normalise] leaves out what differs from answer to answer
 * @property {(random: ReturnType<typeof import('./random.js').seeded>) => any} params
 */

const productBody = random => ({ body: makeProduct(random, random.integer(products, 999_999)) })
const priceOf = random => ({ price: random.integer(100, 50_000) / 100, stock: random.integer(0, 500) })
const patchOf = random => ({ id: random.integer(1, products), body: priceOf(random) })

/** As many hexadecimal digits as an Idempotency-Key of a UUID has. */
const keyOfRequest = random => [8, 4, 4, 4, 12]
  .map(digits => random.integer(0, 16 ** digits - 1).toString(16).padStart(digits, '0')).join('-')

const january = year => `${year}-01-01T00:00:00.000Z`

/** @type {Array<Omit<Load, 'suite'>>} */
const rest = [
  { id: 'w1', title: 'get by id', params: random => ({ id: random.integer(1, products) }) },
  {
    id: 'w2',
    title: 'filtered and ordered list of 20',
    params: random => ({
      categoryId: random.integer(1, categories),
      above: random.integer(100, 30_000) / 100,
      limit: 20
    })
  },
  { id: 'w3', title: 'list of 100', params: random => ({ limit: 100, skip: random.integer(0, products - 100) }) },
  {
    id: 'w4',
    title: '20 rows with two relations',
    params: random => ({ limit: 20, skip: random.integer(0, products - 20) })
  },
  {
    id: 'w5',
    title: 'create',
    writes: true,
    params: productBody
  },
  {
    id: 'w6',
    title: 'patch',
    params: patchOf
  },
  {
    id: 'w7',
    title: 'get by id with token and rule',
    needsToken: true,
    params: random => ({ id: random.integer(1, products) })
  },
  { id: 'w8', title: 'count with a where', params: random => ({ categoryId: random.integer(1, categories) }) }
]

/** The same as users have them: `g1` is `w1` behind what a generator puts before it, on tables that were there. */
const generated = rest.map(load => ({ ...load, id: load.id.replace('w', 'g') }))

/** @type {Array<Omit<Load, 'suite'>>} */
const queries = [
  {
    id: 'q1',
    title: 'list of 20 by a condition on a related row',
    params: random => ({ name: random.pick(categoryNames), limit: 20 })
  },
  {
    id: 'q2',
    title: 'count and sum by month',
    params: random => {
      const year = 2015 + random.integer(0, YEARS - 2)
      return { categoryId: random.integer(1, categories), from: january(year), to: january(year + 1) }
    }
  },
  {
    id: 'q3',
    title: 'search of two words, best 20',
    params: random => ({ search: `${random.pick(ARTICLE_WORDS)} ${random.pick(ARTICLE_WORDS)}`, limit: 20 })
  },
  { id: 'q4', title: 'first page of 20 by cursors', params: () => ({ limit: 20 }) },
  {
    id: 'q5',
    title: 'page of 20 by cursors at position 50,000',
    params: random => ({ page: random.integer(0, FAR.pages - 1), limit: FAR.limit })
  }
]

/** Of a rule that leaves callers their own rows. @type {Array<Omit<Load, 'suite'>>} */
const rows = [
  {
    id: 'r1',
    title: "list of 20 of one's own rows",
    needsToken: true,
    params: random => ({ limit: 20, skip: random.integer(0, OWN_TASKS - 20) })
  },
  {
    id: 'r2',
    title: 'get by id with token, rule and rows',
    needsToken: true,
    params: random => ({ id: ownTaskId(random.integer(1, OWN_TASKS)) })
  }
]

/** In GraphQL. @type {Array<Omit<Load, 'suite'>>} */
const graphql = [
  { id: 'gq1', title: 'GraphQL: by id', target: 0.9, params: random => ({ id: random.integer(1, products) }) },
  {
    id: 'gq2',
    title: 'GraphQL: list of 20',
    target: 0.9,
    params: random => ({ limit: 20, skip: random.integer(0, products - 20) })
  },
  {
    id: 'gq3',
    title: 'GraphQL: 20 rows with two relations',
    target: 0.9,
    params: random => ({ limit: 20, skip: random.integer(0, products - 20) })
  }
]

/** With a setting beside without it. @type {Array<Omit<Load, 'suite'>>} */
const trusted = [
  { id: 't1', title: 'create with a version', writes: true, target: 0.95, params: productBody },
  { id: 't2', title: 'patch with a version', target: 0.95, params: patchOf },
  { id: 't3', title: 'create with history', writes: true, target: 0.6, params: productBody },
  { id: 't4', title: 'patch with history', writes: true, target: 0.6, params: patchOf },
  {
    id: 't5',
    title: 'create with an Idempotency-Key',
    writes: true,
    target: 0.6,
    params: random => ({ ...productBody(random), key: keyOfRequest(random) })
  },
  { id: 't6', title: '304 of a row that the client has', target: 1, params: random => ({ id: random.integer(1, products) }) }
]

/** @type {Array<Omit<Load, 'suite'>>} */
const oauth2 = [
  {
    id: 'o1',
    title: 'token issued to a client',
    params: () => ({}),
    normalise: ({ access_token: token, ...answer }) => ({ ...answer, characters: token.length })
  },
  { id: 'o2', title: 'request with a bearer token', newToken: true, params: () => ({}) }
]

/** Every key of a set but its values. */
const keyOf = ({ kty, use, alg, e }) => ({ kty, use, alg, e })

/** Header and claims of a token that is signed, without what differs from token to token. */
function signedBy (token) {
  const [{ alg }, { sub, aud, iat, exp }] = token.split('.').slice(0, 2)
    .map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { alg, sub, aud, seconds: exp - iat }
}

/** Of OpenID Connect. @type {Array<Omit<Load, 'suite'>>} */
const openid = [
  {
    id: 'o3',
    title: 'code redeemed, with an id_token',
    usesUp: true,
    params: () => ({}),
    normalise: ({ access_token: _, id_token: token, ...answer }) => ({ ...answer, ...signedBy(token) })
  },
  { id: 'o4', title: 'userinfo with a bearer token', newToken: true, params: () => ({}) },
  { id: 'o5', title: 'key set', params: () => ({}), normalise: ({ keys }) => ({ keys: keys.map(keyOf) }) }
]

/** A name of many: what is uploaded again takes the place of what was there. @type {Array<Omit<Load, 'suite'>>} */
const files = [
  {
    id: 'f1',
    title: 'upload of 1 MB',
    params: random => ({ name: `${random.integer(1, 50)}.json` }),
    normalise: answer => ({ size: answer.size ?? answer.result.files.file[0].size })
  },
  { id: 'f2', title: 'download of 1 MB', params: () => ({}) }
]

/** @type {Array<Omit<Load, 'suite'>>} */
const services = [
  { id: 's1', title: 'get by id of a service', params: random => ({ id: random.integer(1, products) }) }
]

const suites = { rest, generated, queries, rows, graphql, trusted, oauth2, openid, files, services }

/** @type {Load[]} */
export const LOADS = Object.entries(suites)
  .flatMap(([suite, loads]) => loads.map(load => /** @type {Load} */ ({ suite, ...load })))
