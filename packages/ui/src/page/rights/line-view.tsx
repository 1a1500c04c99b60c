/** One line of the matrix in full: rows, properties, what is checked and set. */
import type { RightsLine } from '../../contracts/rights.js'
import { JsonText } from '../components/json-text.js'
import { roleName, rowsInWords } from './cells.js'

type Conditions = RightsLine['rows'] | Readonly<Record<string, unknown>>

const Rows = ({ title, rows }: { readonly title: string, readonly rows: Conditions }) =>
  <>
    <dt>{title}</dt>
    <dd>{typeof rows === 'string' ? rowsInWords(rows) : <JsonText label={title} text={JSON.stringify(rows, null, 2)}/>}</dd>
  </>

const Names = ({ title, names }: { readonly title: string, readonly names: readonly string[] }) =>
  <>
    <dt>{title}</dt>
    <dd class="chips">
      {names.includes('*') ? 'all that are not hidden' : names.length === 0 ? 'none' : names.map(name => <code key={name} class="chip">{name}</code>)}
    </dd>
  </>

export const LineView = ({ line: { role, permission, rows, check, preset, read, write, assurance } }: {
  readonly line: RightsLine
}) =>
  <dl class="api-facts line-view">
    <dt>For</dt><dd>{roleName(role)} <span class="chip good">{permission}</span></dd>
    <Rows title="Rows" rows={rows}/>
    {check !== undefined && <Rows title="After a write" rows={check}/>}
    {preset !== undefined && <Rows title="Set by the rule" rows={preset}/>}
    <Names title="Properties to read" names={read}/>
    {write !== undefined && <Names title="Properties to write" names={write}/>}
    {assurance !== undefined && (
      <><dt>Login</dt><dd>{assurance.acr}{assurance.maxAge === undefined ? '' : `, at most ${assurance.maxAge} seconds ago`}</dd></>
    )}
  </dl>
