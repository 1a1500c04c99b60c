import { ARTICLE_WORDS, FAR, YEARS, categoryNames } from './articles.js'
import { COUNTS, makeProduct } from './data.js'
import { OWN_TASKS, ownTaskId } from './tasks.js'

const { products, categories } = COUNTS

/**
 * A load makes the parameters of one request; a server's adapter makes the request out of them (see dialect.js).
 * @typedef {object} Load
 * @property {string} id
 * @property {'rest' | 'generated' | 'queries' | 'rows' | 'oauth2' | 'files' | 'services'} suite of the same servers
 * @property {string} title
 * @property {boolean} [writes] whether it adds rows, which are taken away afterwards
 * @property {boolean} [needsToken] whether its requests have a token
 * @property {boolean} [newToken] whether each measurement begins with a token of its own
 * @property {(answer: any) => any} [normalise] leaves out what differs from answer to answer
 * @property {(random: ReturnType<typeof import('./random.js').seeded>) => any} params
 */

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
    params: random => ({ body: makeProduct(random, random.integer(products, 999_999)) })
  },
  {
    id: 'w6',
    title: 'patch',
    params: random => ({
      id: random.integer(1, products),
      body: { price: random.integer(100, 50_000) / 100, stock: random.integer(0, 500) }
    })
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

/** @type {Load[]} */
export const LOADS = Object.entries({ rest, generated, queries, rows, oauth2, files, services })
  .flatMap(([suite, loads]) => loads.map(load => /** @type {Load} */ ({ suite, ...load })))
