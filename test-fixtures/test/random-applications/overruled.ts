/** Differences that a rule of ours overrules, by name. What none of these explains is a difference. */
import { isDeepStrictEqual } from 'node:util'
import { violationsOf, type Difference } from './compare.js'

type Json = Readonly<Record<string, unknown>>

const errorOf = (body: unknown): Json | undefined => (body as Json | undefined)?.error as Json | undefined
const codeOf = ({ body }: { readonly body: unknown }): unknown => errorOf(body)?.code
const isCall = ({ sent }: Difference): boolean => /\/call-\d/.test(sent.path)
const isUpsert = ({ sent: { verb, path } }: Pick<Difference, 'sent'>): boolean =>
  /\/(upsertWithWhere|replaceOrCreate)/.test(path) || (['PATCH', 'PUT'].includes(verb) && !/^\/[\w-]+\/./.test(path))

/** LoopBack's response of an upsert cuts what it stores whole. */
const wholeSeconds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null).replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1.000Z'))

const idsOf = (body: unknown): unknown[] =>
  Array.isArray(body) ? (body as Json[]).map(({ id }) => id).sort() : [(body as Json | undefined)?.id]

/** The same rows in another order, which some have no value for. */
function areOrderedOtherwise ({ sent: { path }, real, own }: Difference): boolean {
  const name = /"order":"(\w+) /.exec(decodeURIComponent(path))?.[1]
  if (name === undefined || real.status !== 200 || own.status !== 200) return false
  const rows = [real.body, own.body].flat() as Json[]
  return rows.some(row => row[name] === undefined || row[name] === null) &&
    (/limit|skip|findOne/.test(path) || isDeepStrictEqual(idsOf(real.body), idsOf(own.body)))
}

/** Whether `own` has all that `real` has, and no other value of what was sent. */
function hasDefaults (real: unknown, own: unknown, sent: unknown): boolean {
  const [there, here] = [real, own].map(each => wholeSeconds(each) as Json | null)
  if (there == null || here == null || there.error !== undefined || here.error !== undefined) return false
  const more = Object.keys(here).filter(name => !(name in there))
  return more.length > 0 && more.every(name => !(name in (sent as Json))) &&
    Object.keys(there).every(name => isDeepStrictEqual(there[name], here[name]))
}

/** Arguments that one takes and the other does not, and texts that are empty. */
const isJudgedOtherwise = ({ sent: { path, body }, real, own }: Difference): boolean =>
  ['INVALID_PARAMETER_VALUE', 'VALIDATION_FAILED', 'MISSING_REQUIRED_PARAMETER'].includes(String(codeOf(own))) ||
  (real.status === 400 && own.status < 300) || /=(?:&|$)/.test(path) ||
  Object.values((body ?? {}) as Json).includes(null)

const violationsIn = (body: unknown): readonly string[] => violationsOf(errorOf(body)?.details) ?? []

const nextIds = 'the next id is one above the highest, in every store; in LoopBack\'s memory ids below it count as well'

const rules: ReadonlyArray<readonly [rule: string, applies: (difference: Difference) => boolean]> = [
  ['LoopBack fails: 500, or no response at all', ({ real }) => real.status === 0 || real.status === 500],
  ['S-11: a hidden property cannot be asked about', ({ own }) => codeOf(own) === 'HIDDEN_PROPERTY_IN_QUERY'],
  ['S-76: what the default scope or an access hook hides is not there for a replace', ({ real, own, sent }) =>
    own.status === 404 && [200, 422].includes(real.status) && sent.verb !== 'GET' &&
    /^Could not replace/.test(String(errorOf(own.body)?.message))],
  ['S-76: an id that hooks or the default scope hide is taken', ({ real, own }) =>
    real.status === 200 && codeOf(own) === 'DUPLICATE_ID'],
  ['S-76: upsertWithWhere finds what reads find; LoopBack asks no default scope', ({ sent, real, own }) =>
    /upsertWithWhere/.test(sent.path) && real.status === 200 && own.status === 200 &&
    !isDeepStrictEqual(idsOf(real.body), idsOf(own.body))],
  ['S-42: uniqueness holds in the store: for what hooks of persist set, and for updateAll', ({ real, own }) =>
    real.status === 200 && own.status === 422 && violationsIn(own.body).every(each => each.endsWith(' uniqueness'))],
  ['data.md: rows without a value stand together, in every store', areOrderedOtherwise],
  ['behaviour.md, 77: an include has its keys, whatever fields says', ({ sent, real, own }) =>
    /"fields".*"include"/.test(decodeURIComponent(sent.path)) && own.status === 200 &&
    (real.status === 400 || isDeepStrictEqual(idsOf(real.body), idsOf(own.body)))],
  ['request-parsing.md, section 1: the body is judged before the method is called, and alone', ({ real, own }) =>
    real.status >= 400 && own.status === 422 && violationsIn(own.body).length > 0 &&
    (real.status !== 422 || violationsIn(own.body).every(each => violationsIn(real.body).includes(each)))],
  ['request-parsing.md, section 1: arguments are judged before the row is looked up', ({ real, own }) =>
    real.status === 404 && ['MISSING_REQUIRED_PARAMETER', 'INVALID_PARAMETER_VALUE'].includes(String(codeOf(own)))],
  ['request-parsing.md, section 5: null for a required property', ({ sent, real, own }) =>
    real.status === 200 && own.status === 422 && violationsIn(own.body).every(each => {
      const [name, code] = each.split(' ') as [string, string]
      return code === 'presence' && (sent.body as Json)[name] === null
    })],
  ['LoopBack refuses embedded rows of models that have asynchronous validations, and says nothing', ({ real, own }) =>
    real.status === 422 && own.status < 300 && violationsIn(real.body).length === 0],
  ['S-76: whether a row exists that a list of keys does not have is not told', ({ real, own }) =>
    real.status === 404 && own.status === 400 && /^Key mismatch/.test(String(errorOf(own.body)?.message))],
  ['request-parsing.md, sections 3 to 5: arguments, unless coercion is "loopback3"', difference =>
    isCall(difference) && !difference.loose && isJudgedOtherwise(difference)],
  ['behaviour.md, 162 f.: the count of referencesMany counts what is referenced', ({ sent, real, own }) =>
    /\/\w+Rel\d\/count/.test(sent.path) && real.status === 200 && own.status === 200],
  ['the response of an upsert is what was stored; LoopBack cuts milliseconds in it', difference =>
    isUpsert(difference) && isDeepStrictEqual(wholeSeconds(difference.real.body), wholeSeconds(difference.own.body))],
  ['models.md: a row that an upsert makes has its defaults', difference => isUpsert(difference) &&
    hasDefaults(difference.real.body, difference.own.body, difference.sent.body)],
  ['models.md: a row that an upsert makes has its defaults when it is judged', ({ sent, real, own }) =>
    isUpsert({ sent }) && real.status !== own.status &&
    [real, own].every(({ status }) => status === 200 || status === 422) &&
    violationsIn((real.status === 422 ? real : own).body)
      .every(each => !((each.split(' ')[0] as string) in (sent.body as Json)))],
  ['a row that is not in an embedded list is 404; LoopBack answers 200 with null, or 204', ({ sent, real, own }) =>
    own.status === 404 &&
    ((sent.verb === 'PUT' && real.body === null) || (sent.verb === 'DELETE' && real.status === 204))],
  [nextIds, ({ real, own }) => !isDeepStrictEqual(idsOf(real.body), idsOf(own.body)) &&
    isDeepStrictEqual({ ...real.body as Json, id: 0 }, { ...own.body as Json, id: 0 })],
  ['LoopBack judges an embedded row that it has just stored as if it were new', ({ real, own }) => own.status === 200 &&
    real.status === 422 && /`undefined` undefined|`id` can't be set\)/.test(String(errorOf(real.body)?.message))]
]

/** The rule that explains a difference, if one does. */
export const overruledBy = (difference: Difference): string | undefined =>
  rules.find(([, applies]) => applies(difference))?.[0]

/** What becomes of the differences of one application. */
export interface Judged {
  readonly unexplained: readonly Difference[]
  /** By rule, how many. */
  readonly overruled: ReadonlyMap<string, number>
  /** Requests that came after a write which a rule decided otherwise: their responses tell of other rows. */
  readonly uncounted: number
}

/**
 * Differences that no rule explains. After a write that a rule decides otherwise than LoopBack the two have other rows:
 * what differs then is no difference of its own.
 */
export function judge (differences: readonly Difference[]): Judged {
  const unexplained: Difference[] = []
  const overruled = new Map<string, number>()
  let haveOtherRows = false
  let uncounted = 0
  for (const difference of differences) {
    const rule = overruledBy(difference)
    if (rule !== undefined) {
      overruled.set(rule, (overruled.get(rule) ?? 0) + 1)
      const { sent: { verb }, real, own } = difference
      const isWrite = verb !== 'GET' && verb !== 'HEAD'
      haveOtherRows ||= rule === nextIds || (isWrite && (real.status < 300) !== (own.status < 300))
    } else if (haveOtherRows) uncounted++
    else unexplained.push(difference)
  }
  return { unexplained, overruled, uncounted }
}
