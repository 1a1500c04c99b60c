import t from 'tap'
import { ApiDescription } from '../../api/description.js'
import { DataModel } from '../models/models.js'
import { LayoutStore, mostColumns, moved, shownColumns } from './layout.js'
import { allSelected, noSelection, selected } from './selection.js'

const description = new ApiDescription({
  openapi: '3.1.0', info: { title: '', version: '' }, servers: [], tags: [], paths: {},
  components: {
    responses: {},
    schemas: {
      Note: {
        properties: {
          more: { type: 'object' }, title: { type: 'string' }, id: { type: 'number' },
          ...Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, { type: 'number' }]))
        }
      }
    }
  }
})
const facts = { name: 'Note', id: 'id', files: [], defaults: {}, keys: [], lists: [], links: [] }
const model = new DataModel(facts, description)
const names = (named: string[], chosen: string[]): string[] =>
  shownColumns(model, named, chosen).map(({ name }) => name)

t.test('columns: of the address, else those chosen last, else the first few; never more than a table can show', async t => {
  t.same(names([], []), ['id', 'title', 'p0', 'p1', 'p2', 'p3', 'p4'])
  t.same(names([], ['p9', 'gone', 'id']), ['p9', 'id'])
  t.same(names(['more', 'more'], ['p9']), ['more'])
  t.same(names(['gone'], []), names([], []), 'what is not there is not shown')
  t.equal(names(Array.from({ length: 100 }, (_, index) => `p${index}`), []).length, mostColumns)
  t.same(moved(['a', 'b', 'c'], 'c', 0), ['c', 'a', 'b'])
})

t.test('what is kept is read back, and what others wrote there is nothing', async t => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => { kept.set(key, value) }
  }
  const store = new LayoutStore('Note', storage, '/admin/')
  store.layout = { columns: ['title'], widths: { title: 5000, id: 80 }, dense: true }
  store.views = [{ name: 'Mine', query: '{}' }]
  t.same(store.layout, { columns: ['title'], widths: { title: 900, id: 80 }, dense: true })
  t.same(store.views, [{ name: 'Mine', query: '{}' }])
  for (const bad of ['{', 'null', '[]', '1', '{"columns":1,"widths":{"a":"x"},"views":[1,null,{"name":1}]}']) {
    for (const key of kept.keys()) kept.set(key, bad)
    t.same(store.layout, { columns: [], widths: {}, dense: false }, bad)
    t.same(store.views, [])
  }
  const full = new LayoutStore('Note', { getItem: () => null, setItem: () => { throw new Error('full') } }, '/')
  full.layout = { columns: [], widths: {}, dense: true }
})

t.test('rows are selected one by one, and in ranges', async t => {
  const all = ['1', '2', '3', '4']
  const one = selected(noSelection, all, 1, false)
  t.same([...one.ids], ['2'])
  const range = selected(one, all, 3, true)
  t.same([...range.ids], ['2', '3', '4'])
  t.same([...selected(range, all, 2, false).ids], ['2', '4'])
  t.same([...selected(range, all, 1, true).ids], [], 'a range goes the way of its end')
  t.equal(allSelected(noSelection, all).ids.size, 4)
  t.equal(allSelected(allSelected(noSelection, all), all).ids.size, 0)
  t.equal(noSelection.ids.size, 0)
})
