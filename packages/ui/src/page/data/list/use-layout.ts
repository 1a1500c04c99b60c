import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DataModel } from '../models/models.js'
import { LayoutStore, type Layout, type SavedView } from './layout.js'

/** How lists of a model look, as it is kept in this browser, and the ways to change that. */
export interface ListLayout {
  readonly layout: Layout
  readonly views: readonly SavedView[]
  readonly set: (values: Partial<Layout>) => void
  readonly setColumns: (names: readonly string[]) => void
  readonly setViews: (views: readonly SavedView[]) => void
}

/** @param onColumns called with the columns that were chosen, for the address */
export function useLayout (model: DataModel, onColumns: (names: readonly string[]) => void): ListLayout {
  const store = useMemo(() => new LayoutStore(model.name, window.localStorage, window.location.pathname), [model])
  const [layout, setLayout] = useState(store.layout)
  const [views, setViews] = useState(store.views)
  useEffect(() => {
    setLayout(store.layout)
    setViews(store.views)
  }, [store])
  const set = (values: Partial<Layout>): void => {
    setLayout(before => {
      const after = { ...before, ...values }
      store.layout = after
      return after
    })
  }
  return {
    layout, views, set,
    setColumns: columns => {
      set({ columns })
      onColumns(columns)
    },
    setViews: next => {
      store.views = next
      setViews(next)
    }
  }
}
