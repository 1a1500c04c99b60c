/** What a list is searched and filtered by, and how it looks. */
import { useEffect, useState } from 'preact/hooks'
import { IconButton } from '../../components/button.js'
import { Icon } from '../../components/icon.js'
import { Popover } from '../../components/popover.js'
import { conditionProperties } from '../../query/subjects.js'
import { useData } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import type { Property } from '../models/properties.js'
import { ColumnsPanel } from './columns-panel.js'
import { FilterChips, FilterPanel } from './filter-panel.js'
import { listAddress, listQuery, listStateIn, type ListState } from './list-state.js'
import type { ListLayout } from './use-layout.js'
import { ViewsPanel } from './views-panel.js'

export function Toolbar ({ model, state, columns, layout, go }: {
  readonly model: DataModel
  readonly state: ListState
  readonly columns: readonly Property[]
  readonly layout: ListLayout
  readonly go: (state: ListState) => void
}) {
  const { description } = useData()
  const query = JSON.stringify(listQuery(state))
  const hasConditions = conditionProperties(model.where, description).length > 0
  return (
    <div class="toolbar">
      <div class="tools">
        <SearchField model={model} state={state} go={go}/>
        <WordsField model={model} state={state} go={go}/>
        {hasConditions && (
          <Popover label="Filter" icon="filter" text="Filter" buttonClass="button" wide>
            {close => <FilterPanel model={model} state={state} go={go} close={close}/>}
          </Popover>
        )}
        <Popover label="Views" icon="star" text="Views" buttonClass="button">
          {close => (
            <ViewsPanel
              views={layout.views} query={query} onChange={views => { layout.setViews(views) }} close={close}
              addressOf={view => listAddress(model.name, stateOf(view.query))}
            />
          )}
        </Popover>
        <Popover label="Columns" icon="columns-3" text="Columns" buttonClass="button">
          {() => (
            <ColumnsPanel
              model={model} shown={columns} onChange={names => { layout.setColumns(names) }}
              onReset={() => { layout.setColumns([]) }}
            />
          )}
        </Popover>
        <IconButton
          label="Narrow rows" icon="list" kind="plain" pressed={layout.layout.dense} onClick={() => { layout.set({ dense: !layout.layout.dense }) }}
        />
      </div>
      <FilterChips state={state} go={go}/>
    </div>
  )
}

/** Other pages, and people, write there as well. */
function stateOf (query: string): ListState {
  const parts = JSON.parse(query) as Readonly<Record<string, string | number | undefined>>
  return listStateIn(new URLSearchParams(Object.entries(parts)
    .flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]])))
}

interface FieldProps { readonly model: DataModel, readonly state: ListState, readonly go: (state: ListState) => void }

/** A part of the text that names a row. */
function SearchField ({ model, state, go }: FieldProps) {
  const { labelled } = model
  if (labelled === undefined || !model.isSearchable(labelled)) return null
  return <TextForm label={`Search ${labelled}`} value={state.search} most={200} onSubmit={search => { go({ ...state, search, skip: 0 }) }}/>
}

/** Words of the model's text index: the rows that fit best are first, whatever the list was sorted by. */
function WordsField ({ model, state, go }: FieldProps) {
  const { wordSearch } = model
  if (wordSearch === undefined) return null
  const { description, maxLength } = wordSearch as { readonly description?: string, readonly maxLength?: number }
  return (
    <TextForm
      label="Search words" title={description} value={state.words} most={maxLength ?? 200}
      onSubmit={words => { go({ ...state, words, order: '', skip: 0 }) }}
    />
  )
}

function TextForm ({ label, title, value, most, onSubmit }: {
  readonly label: string
  readonly title?: string | undefined
  readonly value: string
  readonly most: number
  readonly onSubmit: (text: string) => void
}) {
  const [text, setText] = useState(value)
  useEffect(() => { setText(value) }, [value])
  return (
    <form
      class="search"
      onSubmit={event => {
        event.preventDefault()
        onSubmit(text.trim())
      }}
    >
      <Icon name="search"/>
      <input
        type="search" value={text} autocomplete="off" spellcheck={false} aria-label={label} placeholder={label} title={title} maxLength={most}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          if (currentTarget.value === '' && value !== '') onSubmit('')
        }}
      />
    </form>
  )
}
