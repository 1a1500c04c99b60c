/** `fastback acl shadow`: what rules on trial would have changed, as far as a log or metrics say it. */
import { readFileSync } from 'node:fs'
import { NoTriedRulesError } from './errors.js'
import { describeRule } from './rule-text.js'

/** What a rule would have changed for the requests of one method. */
export interface TriedRule {
  readonly model: string
  readonly method: string
  /** `refuse`, `allow`, `hide`, `narrow`. */
  readonly would: string
  /** As written; `default` where no rule would fit. */
  readonly rule: unknown
  readonly count: number
}

export interface TriedRules {
  /** By effect. */
  readonly counts: Readonly<Record<string, number>>
  /** The most frequent first. Metrics only count: they do not say which rules. */
  readonly rules?: readonly TriedRule[]
}

/**
 * What was recorded: of a log, the lines `acl.shadow` by rule and method; of the metrics of a running server
 * (`@fastback/health`), the counts since it was started.
 *
 * ```js
 * const { counts, rules } = await triedRules('server.log')
 * ```
 * @param source the path of a log with one JSON object on each line, or the address of metrics
 * @throws FBK_CLI_NO_TRIED_RULES when it cannot be read, or metrics have no such count
 */
export async function triedRules (source: string): Promise<TriedRules> {
  return source.startsWith('http://') || source.startsWith('https://')
    ? { counts: countsIn(source, await fetched(source)) }
    : inLog(read(source))
}

function read (file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new NoTriedRulesError(file, (error as NodeJS.ErrnoException).code ?? String(error))
  }
}

async function fetched (address: string): Promise<string> {
  let response: Response
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(10_000) })
  } catch (error) {
    throw new NoTriedRulesError(address, (error as Error).message)
  }
  if (!response.ok) throw new NoTriedRulesError(address, `status ${response.status}`)
  return await response.text()
}

const metric = 'fastback_tried_rules_total{'

/** Lines such as `fastback_tried_rules_total{effect="refuse"} 3`. */
function countsIn (address: string, text: string): Record<string, number> {
  const lines = text.split('\n')
  if (!lines.some(line => line.includes('fastback_tried_rules_total'))) {
    throw new NoTriedRulesError(address, 'it has no metric "fastback_tried_rules_total"')
  }
  const counts: Record<string, number> = {}
  for (const line of lines.filter(each => each.startsWith(metric))) {
    const [labels = '', count = ''] = line.slice(metric.length).split('}')
    const effect = labels.split(',').find(label => label.startsWith('effect="'))?.slice('effect="'.length, -1)
    if (effect !== undefined) counts[effect] = (counts[effect] ?? 0) + Number(count)
  }
  return counts
}

interface Logged extends Omit<TriedRule, 'count'> { readonly event?: unknown }

/** Other lines, and what is no JSON, are passed over: logs have more than one writer. */
function inLog (text: string): TriedRules {
  const counts: Record<string, number> = {}
  const rules = new Map<string, TriedRule>()
  for (const line of text.split('\n')) {
    const logged = line.includes('acl.shadow') ? parsed(line) : undefined
    if (logged?.event !== 'acl.shadow') continue
    const { model, method, would, rule } = logged
    const key = JSON.stringify([model, method, would, rule])
    counts[would] = (counts[would] ?? 0) + 1
    rules.set(key, { model, method, would, rule, count: (rules.get(key)?.count ?? 0) + 1 })
  }
  return { counts, rules: [...rules.values()].sort((a, b) => b.count - a.count) }
}

function parsed (line: string): Logged | undefined {
  try {
    return JSON.parse(line) as Logged
  } catch {
    return undefined
  }
}

/**
 * The same to be read by a person.
 *
 * ```js
 * console.log(triedText({ counts: { refuse: 3 } })) // 'refuse  3'
 * ```
 */
export function triedText ({ counts, rules }: TriedRules): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return 'Rules on trial would have changed nothing that was recorded.'
  if (rules === undefined) return Object.entries(counts).map(([would, count]) => `${would.padEnd(6)}  ${count}`).join('\n')
  return rules.map(({ model, method, would, rule, count }) =>
    `${String(count).padStart(6)}  ${would.padEnd(6)}  ${model}.${method}  by ${rule === 'default' ? 'the default permission' : describeRule(rule as Record<string, unknown>)}`
  ).join('\n')
}
