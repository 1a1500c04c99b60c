/** The schemas of the description, for reading. */
import { useSignal } from '@preact/signals'
import { CopyButton } from '../components/copy-button.js'
import { Empty } from '../components/empty.js'
import { JsonText } from '../components/json-text.js'
import { Tabs } from '../components/tabs.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { schemaAddress } from './addresses.js'
import { SchemaView } from './schema-view.js'

const tabs = [{ name: 'properties', title: 'Properties' }, { name: 'json', title: 'JSON' }] as const

export function SchemasPage ({ name }: { readonly name: string | undefined }) {
  const { schemas } = useUi().description.document.components
  const text = useSignal('')
  const shown = useSignal<string>('properties')
  if (name !== undefined && Object.hasOwn(schemas, name)) {
    const json = JSON.stringify(schemas[name], null, 2)
    return (
      <>
        <header class="view-head">
          <div><p class="crumbs"><a href={addressOf('api', ['~schemas'])}>Schemas</a></p><h2>{name}</h2></div>
        </header>
        <div class="view-body">
          <Tabs
            label="Schema" tabs={tabs} chosen={shown.value} onChoose={each => { shown.value = each }}
            tools={<CopyButton text={() => json}/>}
          >
            {shown.value === 'json' ? <JsonText text={json} label={name}/> : <SchemaView schema={schemas[name]}/>}
          </Tabs>
        </div>
      </>
    )
  }
  const found = Object.keys(schemas).filter(each => each.toLowerCase().includes(text.value.trim().toLowerCase()))
  return (
    <>
      <header class="view-head">
        <h2>Schemas</h2>
        <input
          type="search" class="head-search" aria-label="Find a schema" placeholder="Find a schema" value={text.value}
          onInput={({ currentTarget }) => { text.value = currentTarget.value }}
        />
      </header>
      <div class="view-body">
        {name !== undefined && <Empty icon="layers" title={`There is no schema ${name}`}/>}
        <ul class="schema-list">
          {found.map(each => <li key={each}><a class="side-link" href={schemaAddress(each)}><span>{each}</span></a></li>)}
        </ul>
      </div>
    </>
  )
}
