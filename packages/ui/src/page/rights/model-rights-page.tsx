/** The rights of one model: its methods by roles, why somebody may, what would be, its rules as they are written. */
import type { ModelRights, RightsLine } from '../../contracts/rights.js'
import { Icon } from '../components/icon.js'
import { SidePane } from '../components/side-pane.js'
import { Tabs } from '../components/tabs.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { rightsAddress } from './addresses.js'
import { cellOf, methodsOf, roleName, rowsInWords, type Cell } from './cells.js'
import { LineView } from './line-view.js'
import { RuleList } from './rule-list.js'
import { WhatIfTab } from './what-if-tab.js'
import { WhyTab } from './why-tab.js'

const tabs = [
  { name: 'matrix', title: 'Matrix' }, { name: 'why', title: 'Why?' }, { name: 'what-if', title: 'What if' }, { name: 'rules', title: 'Rules' }
] as const

export function ModelRightsPage ({ model, roles }: { readonly model: ModelRights, readonly roles: readonly string[] }) {
  const { router } = useUi()
  const { path: [, tab], query } = router.route.value
  const shown = tabs.find(({ name }) => name === tab)?.name ?? 'matrix'
  const [method, role] = [query.get('method'), query.get('role')]
  const lines = model.lines.filter(line => line.method === method)
  const isOpen = shown === 'matrix' && method !== null && role !== null && lines.length > 0
  return (
    <div class={`split ${isOpen ? 'with-side' : ''}`}>
      <div class="rights-main">
        <header class="view-head">
          <div class="model-title"><p class="crumbs"><a href={addressOf('rights')}>Rights</a></p><h2>{model.model}</h2></div>
        </header>
        <div class="view-body rights">
          <Tabs label={`Rights of ${model.model}`} tabs={tabs} chosen={shown} onChoose={name => { router.replace(rightsAddress(model.model, name)) }}>
            {shown === 'matrix' && <MethodMatrix model={model} roles={roles} current={isOpen ? `${method} ${role}` : undefined}/>}
            {shown === 'why' && <WhyTab model={model}/>}
            {shown === 'what-if' && <WhatIfTab model={model}/>}
            {shown === 'rules' && <RuleList rules={model.rules}/>}
          </Tabs>
        </div>
      </div>
      {isOpen && (
        <SidePane title={`${method}, ${roleName(role)}`} onClose={() => { router.replace(rightsAddress(model.model)) }}>
          <CellView model={model.model} method={method} cell={cellOf(lines, role)}/>
        </SidePane>
      )}
    </div>
  )
}

function MethodMatrix ({ model, roles, current }: {
  readonly model: ModelRights, readonly roles: readonly string[], readonly current: string | undefined
}) {
  const named = roles.filter(role => model.lines.some(line => line.role === role) || role === '$everyone')
  return (
    <div class="table-box matrix-box" tabIndex={0} role="region" aria-label={`Who may call methods of ${model.model}`}>
      <table class="matrix">
        <thead><tr><th scope="col">Method</th>{named.map(role => <th key={role} scope="col">{roleName(role)}</th>)}</tr></thead>
        <tbody>
          {methodsOf(model).map(({ method, accessType, lines }) => (
            <tr key={method}>
              <th scope="row"><code>{method}</code> <span class="quiet-text">{accessType.toLowerCase()}</span></th>
              {named.map(role => (
                <td key={role} class={current === `${method} ${role}` ? 'current' : ''}>
                  <CellLink model={model.model} method={method} role={role} cell={cellOf(lines, role)}/>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function CellLink ({ model, method, role, cell }: {
  readonly model: string, readonly method: string, readonly role: string, readonly cell: Cell
}) {
  if (cell.extent === 'none') return <span class="right none"><Icon name="minus"/><span class="sr-only">no</span></span>
  return (
    <a class={`right ${cell.extent} ${cell.from === undefined ? '' : 'wider'}`} href={rightsAddress(model, 'matrix', { method, role })}>
      <Icon name="check"/><span>{wordsOf(cell.lines)}</span>
    </a>
  )
}

function wordsOf (lines: readonly RightsLine[]): string {
  const rows = [...new Set(lines.map(line => rowsInWords(line.rows)))].join(' or ')
  const hasFields = lines.some(({ read, write = ['*'] }) => !read.includes('*') || !write.includes('*'))
  return `${rows === 'all rows' ? 'all' : rows}${hasFields ? ', some fields' : ''}`
}

const CellView = ({ model, method, cell: { lines, from } }: {
  readonly model: string
  readonly method: string
  readonly cell: Cell
}) =>
  <div class="cell-view">
    {from !== undefined && <p class="quiet-text">As no rule names this role, it has what “{roleName(from)}” has.</p>}
    {lines.map((line, index) => <LineView key={index} line={line}/>)}
    <p><a class="button" href={rightsAddress(model, 'why', { method })}><Icon name="circle-help"/>Why, for somebody?</a></p>
  </div>
