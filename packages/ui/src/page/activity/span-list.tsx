/** The spans of a request as a waterfall: each in its time, within the one that it belongs to. */
import { useSignal } from '@preact/signals'
import type { Span } from '../../contracts/activity.js'
import { Icon } from '../components/icon.js'
import type { IconName } from '../components/icon-names.js'
import { durationOf } from './words.js'

const icons: Readonly<Record<Span['kind'], IconName>> = { rule: 'shield-check', method: 'braces', hook: 'zap', query: 'database' }

/** @param noted positions of spans that a hint is about */
export function SpanList ({ spans, duration, noted }: {
  readonly spans: readonly Span[], readonly duration: number, readonly noted: ReadonlySet<number>
}) {
  const opened = useSignal<number | undefined>(undefined)
  const all = Math.max(duration, ...spans.map(({ start, duration }) => start + duration), 0.001)
  return (
    <ol class="spans">
      {spans.map((span, index) => (
        <SpanView
          key={index} span={span} depth={depthOf(spans, span)} all={all}
          isNoted={noted.has(index)} isOpen={opened.value === index}
          onToggle={() => { opened.value = opened.value === index ? undefined : index }}
        />
      ))}
    </ol>
  )
}

function depthOf (spans: readonly Span[], span: Span): number {
  const { parent } = span
  const above = parent === undefined ? undefined : spans[parent]
  return above === undefined || above === span ? 0 : 1 + depthOf(spans, above)
}

function SpanView ({ span, depth, all, isNoted, isOpen, onToggle }: {
  readonly span: Span
  readonly depth: number
  readonly all: number
  readonly isNoted: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
}) {
  const { kind, name, operation, start, duration, failed = false, changed = [], rows, text, decision } = span
  const about = [
    kind === 'query' ? operation : undefined,
    rows === undefined ? undefined : `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    changed.length === 0 ? undefined : `set ${changed.join(', ')}`,
    decision === undefined ? undefined : decision.allowed ? 'allowed' : 'refused'
  ].filter(each => each !== undefined).join(', ')
  const details = text ?? (decision?.rule === undefined ? undefined : typeof decision.rule === 'string' ? decision.rule : JSON.stringify(decision.rule))
  const place = { '--from': String(start / all), '--size': String(Math.max(duration / all, 0.004)), '--depth': String(depth) }
  return (
    <li class={`span kind-${kind} ${failed || decision?.allowed === false ? 'failed' : ''} ${isNoted ? 'noted' : ''}`} style={place}>
      <button type="button" aria-expanded={details === undefined ? undefined : isOpen} disabled={details === undefined} onClick={onToggle}>
        <Icon name={icons[kind]}/>
        <span class="span-name">{name}{about === '' ? '' : <span class="quiet-text"> {about}</span>}</span>
        <span class="span-time">{durationOf(duration)}</span>
      </button>
      <div class="span-bar" aria-hidden="true"><span/></div>
      {isOpen && details !== undefined && <pre class="code">{details}</pre>}
    </li>
  )
}
