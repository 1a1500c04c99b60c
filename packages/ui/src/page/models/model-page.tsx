/** One model: what its definition says and where, its relations, indexes and methods, its table in the database. */
import { useSignal } from '@preact/signals'
import type { Definitions, ModelDefinitionView } from '../../contracts/models.js'
import { Button } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Empty } from '../components/empty.js'
import { Icon } from '../components/icon.js'
import { JsonText } from '../components/json-text.js'
import { Tabs } from '../components/tabs.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { modelAddress } from './addresses.js'
import { ChangeDialog, type ChangeKind } from './change/change-dialog.js'
import { PropertyTable } from './property-table.js'
import { TableTab } from './table-tab.js'

export function ModelPage ({ model, definitions }: {
  readonly model: ModelDefinitionView, readonly definitions: Definitions
}) {
  const { config, router } = useUi()
  const changing = useSignal<ChangeKind | undefined>(undefined)
  const { name, base, source, dataSource, connector, path, description } = model
  const shown = router.route.value.path[1] ?? 'properties'
  const tabs = [
    { name: 'properties', title: `Properties ${model.properties.length}` },
    { name: 'relations', title: `Relations ${model.relations.length}` },
    { name: 'methods', title: `Methods ${model.methods.length}` },
    { name: 'indexes', title: `Indexes ${model.indexes.length}` },
    { name: 'table', title: 'Database' },
    { name: 'settings', title: 'Settings' }
  ]
  return (
    <>
      <header class="view-head">
        <div class="model-title">
          <h2>{name}</h2>
          <p class="quiet-text">
            {base !== undefined && <>extends {base} · </>}
            {source === undefined ? 'defined in code' : <code>{source.file}{source.line === undefined ? '' : `:${source.line}`}</code>}
          </p>
        </div>
        {config.changes === true && config.development && (
          <>
            <Button icon="plus" onClick={() => { changing.value = 'property' }}>Property</Button>
            <Button icon="link" onClick={() => { changing.value = 'relation' }}>Relation</Button>
          </>
        )}
        {config.views.includes('data') && model.public && <a class="button" href={addressOf('data', [name])}><Icon name="database"/>Rows</a>}
        {config.views.includes('rights') && <a class="button" href={addressOf('rights', [name])}><Icon name="shield-check"/>Rights</a>}
      </header>
      <div class="view-body model-page">
        {description !== undefined && <p class="api-about">{description}</p>}
        <p class="chips">
          <span class={`chip ${model.public ? 'good' : ''}`}><Icon name={model.public ? 'eye' : 'eye-off'}/>{model.public ? 'public' : 'not public'}</span>
          {dataSource !== undefined && <span class="chip"><Icon name="database"/>{dataSource} ({connector})</span>}
          {path !== undefined && <span class="chip mono">{path}</span>}
          {model.mixins.map(mixin => <span key={mixin} class="chip violet">{mixin}</span>)}
          <span class="chip"><Icon name="shield-check"/>{model.rules} {model.rules === 1 ? 'rule' : 'rules'}</span>
        </p>
        <Tabs
          label={name} tabs={tabs} chosen={tabs.some(tab => tab.name === shown) ? shown : 'properties'}
          onChoose={tab => { router.replace(addressOf('models', [name, tab])) }}
        >
          <Tab shown={shown} model={model}/>
        </Tabs>
      </div>
      {changing.value !== undefined && (
        <ChangeDialog
          kind={changing.value} model={name} definitions={definitions}
          onClose={() => { changing.value = undefined }}
        />
      )}
    </>
  )
}

function Tab ({ shown, model }: { readonly shown: string, readonly model: ModelDefinitionView }) {
  switch (shown) {
    case 'relations': return <Relations model={model}/>
    case 'methods': return <Methods model={model}/>
    case 'indexes': return <Indexes model={model}/>
    case 'table': return <TableTab model={model.name}/>
    case 'settings': {
      const text = JSON.stringify(model.settings, null, 2)
      return (
        <>
          <div class="buttons"><CopyButton text={() => text}/></div>
          <JsonText label="Settings" text={text}/>
        </>
      )
    }
    default: return <PropertyTable model={model}/>
  }
}

function Relations ({ model: { relations } }: { readonly model: ModelDefinitionView }) {
  if (relations.length === 0) return <Empty icon="link" title="No relations"/>
  return (
    <table class="facts-table">
      <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Model</th><th scope="col">Key</th><th scope="col">Through</th></tr></thead>
      <tbody>
        {relations.map(({ name, type, target, foreignKey, through, embedded }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td><span class="chip info">{type}</span>{embedded && <span class="chip">embedded</span>}</td>
            <td>{target === undefined ? 'by each row' : <a href={modelAddress(target)}>{target}</a>}</td>
            <td>{foreignKey !== undefined && <code>{foreignKey}</code>}</td>
            <td>{through !== undefined && <a href={modelAddress(through)}>{through}</a>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Methods ({ model: { methods } }: { readonly model: ModelDefinitionView }) {
  if (methods.length === 0) return <Empty icon="braces" title="No shared methods"/>
  return (
    <table class="facts-table">
      <thead><tr><th scope="col">Name</th><th scope="col">Access</th><th scope="col">Routes</th><th scope="col">Description</th></tr></thead>
      <tbody>
        {methods.map(({ name, accessType, routes, description, own }) => (
          <tr key={name}>
            <th scope="row">{name}{own && <> <span class="chip violet">own</span></>}</th>
            <td><span class={`chip ${accessType === 'READ' ? 'info' : accessType === 'WRITE' ? 'warning' : ''}`}>{accessType}</span></td>
            <td>{routes.map(route => <div key={route}><code>{route}</code></div>)}</td>
            <td class="quiet-text">{description?.split('\n')[0]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Indexes ({ model: { indexes } }: { readonly model: ModelDefinitionView }) {
  if (indexes.length === 0) {
    return <Empty icon="list" title="No indexes"><p>A slow list in Activity says which one would help.</p></Empty>
  }
  return (
    <table class="facts-table">
      <thead><tr><th scope="col">Name</th><th scope="col">Columns</th><th scope="col">Unique</th></tr></thead>
      <tbody>
        {indexes.map(({ name, unique, columns }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{columns.map(({ property, descending }) => <code key={property}>{property}{descending ? ' DESC' : ''} </code>)}</td>
            <td>{unique ? 'unique' : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
