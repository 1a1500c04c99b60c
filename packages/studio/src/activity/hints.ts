/** What would help a request. */
import type { Hint } from '@fastback/ui/contracts'
import type { RequestRecord } from './request-record.js'
import { rounded } from './seconds.js'

export function hintsFor (record: RequestRecord): Hint[] {
  const { summary, spans, missing = [] } = record
  if (summary === undefined) return []
  return [
    ...missing.map(({ model, reason, definition }): Hint => ({
      mark: 'missing index',
      model,
      text: definition === undefined ? reason : `${reason} An index leads to them: add it to the definition, then run "fastback migrate".`,
      ...definition === undefined ? {} : { definition },
      spans: spans.flatMap((span, i) => span.kind === 'query' && span.model === model ? [i] : [])
    })),
    ...record.repeated.map(({ text, spans: positions }): Hint => ({
      mark: 'repeated',
      text: `${repeatedIn(record, positions)} Read all rows at once: with "include", or one query with { "inq": [ids] }. It is ${text}`,
      spans: positions
    })),
    ...summary.marks.includes('slow') ? [slowHint(record)] : []
  ]
}

function repeatedIn ({ spans }: RequestRecord, positions: readonly number[]): string {
  const parents = new Set(positions.map(i => spans[i]?.parent))
  const names = [...new Set([...parents].map(i => i === undefined ? undefined : spans[i]?.name))]
    .filter(name => name !== undefined)
  const where = names.length === 1 ? ` in ${names[0] as string}` : ''
  return `One statement ran ${String(positions.length)} times${where}.`
}

/** Which kind of work took most of it. */
function slowHint ({ spans, summary }: RequestRecord): Hint {
  const total = summary?.duration ?? 0
  const within = (i: number): number =>
    spans.filter(({ parent }) => parent === i).reduce((sum, { duration }) => sum + duration, 0)
  const own = spans.map(({ duration }, i) => Math.max(0, duration - within(i)))
  const [longest] = own.map((_, i) => i).sort((a, b) => (own[b] as number) - (own[a] as number))
  const span = longest === undefined ? undefined : spans[longest]
  const text = span === undefined || longest === undefined
    ? `It took ${String(total)} ms, and neither hooks nor stores were asked: look at the code of its handler.`
    : `Of ${String(total)} ms, ${String(rounded(own[longest] as number))} ms are of ${span.kind === 'query' ? 'a statement to' : `the ${span.kind}`} ${span.name}.`
  return { mark: 'slow', text, spans: longest === undefined ? [] : [longest] }
}
