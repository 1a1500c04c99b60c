import type { WrittenRule } from '../../contracts/rights.js'
import { Empty } from '../components/empty.js'

const sourceText = ({ source }: WrittenRule): string | undefined =>
  source === undefined ? undefined : `${source.file}${source.line === undefined ? '' : `:${source.line}`}`

/** A rule in one line, and where it is written. */
export const RuleView = ({ written, fits, effect }: {
  readonly written: WrittenRule, readonly fits?: boolean, readonly effect?: string | undefined
}) =>
  <div class={`rule ${fits === false ? 'unfit' : ''}`}>
    <code>{JSON.stringify(written.rule)}</code>
    <p class="chips">
      {sourceText(written) !== undefined && <span class="chip mono">{sourceText(written)}</span>}
      {fits !== undefined && <span class={`chip ${fits ? 'good' : ''}`}>{fits ? 'fits' : 'does not fit'}</span>}
      {effect !== undefined && <span class="chip accent">{effect}</span>}
    </p>
  </div>

export const RuleList = ({ rules }: { readonly rules: readonly WrittenRule[] }) =>
  rules.length === 0
    ? <Empty icon="shield-check" title="No rules"><p>Without any, everyone may call the methods of the model.</p></Empty>
    : <ol class="rules">{rules.map((written, index) => <li key={index}><RuleView written={written}/></li>)}</ol>
