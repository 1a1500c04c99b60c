/** Rows that lead to a row: how many, the first of them, and the list of all. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import type { ListFacts } from '../../../contracts/model-facts.js'
import { useData } from '../data-part.js'
import { listAddress, plainList } from '../list/list-state.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { usePieces } from './pieces.js'

export interface RelatedProps {
  readonly model: DataModel
  readonly row: Row
  /** The address of a row that is opened from here. */
  readonly addressOf: (model: string, id: unknown) => string
}

export function Related ({ model, row, addressOf }: RelatedProps) {
  const { models, api } = useData()
  const lists = model.facts.lists.filter(({ model: to, target }) => {
    const value = valueOf(row, target)
    return value !== undefined && value !== null && api.may(models.get(to)?.find)
  })
  if (lists.length === 0) return null
  return (
    <section class="pane-section" aria-label="Related rows">
      <h3>Related rows</h3>
      {lists.map(facts => (
        <RelatedList key={facts.name} facts={facts} value={valueOf(row, facts.target)} addressOf={addressOf}/>
      ))}
    </section>
  )
}

function RelatedList ({ facts, value, addressOf }: {
  readonly facts: ListFacts, readonly value: unknown, readonly addressOf: RelatedProps['addressOf']
}) {
  const { models, api } = useData()
  const [isOpen, setOpen] = useState(false)
  const [count, setCount] = useState<number | undefined>(undefined)
  const model = models.get(facts.model)
  const where = { [facts.key]: value, ...facts.only }
  useEffect(() => {
    let isCurrent = true
    setCount(undefined)
    if (api.may(model?.count)) {
      api.call(model.count, { query: { where } }).then(({ value: found }) => {
        if (isCurrent) setCount((found as { readonly count?: number }).count)
      }, () => { /* It is not said. */ })
    }
    return () => { isCurrent = false }
  }, [facts.name, String(value)])
  if (model === undefined) return null
  return (
    <div class="related">
      <details onToggle={({ currentTarget }) => { setOpen(currentTarget.open) }}>
        <summary>
          <span class="related-name">{facts.name}</span>
          {count !== undefined && <span class="count">{count}</span>}
        </summary>
        {isOpen && <RelatedRows model={model} where={where} addressOf={addressOf}/>}
      </details>
      <a
        class="related-list" href={listAddress(facts.model, { ...plainList, where: [where] })} aria-label={facts.name}
        title={`Open the list of ${facts.name}`}
      >
        <Icon name="table"/>
      </a>
    </div>
  )
}

function RelatedRows ({ model, where, addressOf }: {
  readonly model: DataModel, readonly where: object, readonly addressOf: RelatedProps['addressOf']
}) {
  const { api } = useData()
  const { find, facts: { id } } = model
  const { items, isReading, error, more } = usePieces<Row>(async skip => find === undefined
    ? []
    : (await api.call(find, { query: { filter: { where, limit: 25, ...skip === 0 ? {} : { skip } } } })).value as Row[],
  JSON.stringify([model.name, where]))
  return (
    <>
      {error !== undefined && <Notice kind="bad">{(error as Error).message}</Notice>}
      {!isReading && items.length === 0 && error === undefined && <p class="quiet-text">None.</p>}
      <ul class="related-rows">
        {items.map((row, index) => (
          <li key={index}>
            {id === undefined || model.findById === undefined
              ? model.labelOf(row)
              : <a href={addressOf(model.name, valueOf(row, id))}>{model.labelOf(row)}</a>}
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
