/** A client typed by rows. Checked by `tsc` alone (`npm run types`). */
import { createClient, memoryStore, type Conflict } from '@fastback/client'
import { createLiveClient } from '@fastback/client/live'
import { useLive } from '@fastback/client/react'
import { useLive as useLiveRefs } from '@fastback/client/vue'

interface Note { id: string, title: string, rank?: number | null, at?: string | null, tags?: string[] }
interface Tag { key: number, name: string }

const use = (..._values: unknown[]): void => {}

const client = createClient<{ Note: Note, Tag: Tag }>({
  baseUrl: '/api',
  store: memoryStore(),
  models: {
    Note: { where: { rank: { gt: 1 } }, dates: ['at'], conflict: ({ local, remote }) => remote === null ? 'local' : { ...remote, title: local?.title ?? '' } },
    Tag: { id: 'key' }
  },
  migrate: (model, row) => model === 'Note' ? row : undefined
})

async function notes (): Promise<void> {
  const [note] = await client.Note.find({
    where: { title: { like: 'a%' }, tags: 'x', at: { gt: new Date() }, or: [{ rank: null }, { rank: { inq: [1] } }], 'meta.size': 1 },
    order: ['rank DESC', 'title']
  })
  const title: string | undefined = note?.title
  const tag = await client.Tag.findById(1)
  const name: string | undefined = tag?.name
  await client.Note.patch('a', { rank: null })
  const listen = (tags: Tag[]): void => { use(tags.map(each => each.name)) }
  const stop: () => void = client.Tag.live({ where: { key: { between: [1, 2] } } }, listen)
  const conflicts: Conflict[] = await client.conflicts.list()
  const pending: number = client.state.value.pending
  const rows: Note[] | undefined = useLive(client.Note, { order: 'title' }).rows
  const refs: Tag[] | undefined = useLiveRefs(client.Tag, () => ({ where: { name: 'x' } })).rows.value
  use(title, name, stop, conflicts, pending, rows, refs)
  // @ts-expect-error no such model
  use(client.Nothing)
  // @ts-expect-error no such property
  await client.Note.find({ where: { titel: 'x' } })
  // @ts-expect-error of another type
  await client.Note.find({ where: { rank: { gt: 'x' } } })
  // @ts-expect-error no such property to order by
  await client.Tag.find({ order: 'title' })
  // @ts-expect-error of another type
  await client.Note.create({ title: 1 })
  // @ts-expect-error relations are not here
  await client.Note.find({ include: 'tags' })
}

// @ts-expect-error a model is missing
createClient<{ Note: Note, Tag: Tag }>({ baseUrl: '/api', store: memoryStore(), models: { Note: {} } })
// @ts-expect-error no such policy
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: { conflict: 'mine' } } })
// @ts-expect-error a store is needed
createClient<{ Note: Note }>({ baseUrl: '/api', models: { Note: {} } })
// @ts-expect-error no such option
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: {} }, url: '/api' })
// @ts-expect-error an address is a text
createClient<{ Note: Note }>({ baseUrl: 5, store: memoryStore(), models: { Note: {} } })
// @ts-expect-error no such model
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: {}, Noet: {} } })
// @ts-expect-error no such option of a model
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: { were: {} } } })
// @ts-expect-error no such property
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: { where: { titel: 'x' } } } })
// @ts-expect-error no such property that is a date
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: { dates: ['att'] } } })
// @ts-expect-error no such property that is the id
createClient<{ Tag: Tag }>({ baseUrl: '/api', store: memoryStore(), models: { Tag: { id: 'kye' } } })
// @ts-expect-error a conflict has no such side
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: { conflict: ({ mine }) => mine } } })
// @ts-expect-error it gives a row, or a policy
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: { conflict: () => 5 } } })
// @ts-expect-error it is told the model and a row
createClient<{ Note: Note }>({ baseUrl: '/api', store: memoryStore(), models: { Note: {} }, migrate: (row: Note) => row })

use(notes)

interface Item { id: number, product: string }
interface Order { id: number, title: string, items?: Item[] }

const live = createLiveClient<{ Order: Order }>({ baseUrl: '/api', models: { Order: { path: '/orders' } } })

export async function liveOrders (): Promise<void> {
  for await (const rows of live.Order.live({ where: { title: { like: 'a%' } }, include: ['items'], order: 'title' })) {
    const products: string[] = rows.flatMap(({ items }) => items.map(({ product }) => product))
    use(products)
  }
  for await (const rows of live.Order.live({ fields: ['id'] })) {
    use(rows[0]?.id)
    // @ts-expect-error: left out by the fields
    use(rows[0]?.title)
  }
  // @ts-expect-error: no property
  live.Order.live({ order: 'nothing' })
  const stop: () => void = live.Order.live({ order: 'id' }, rows => { use(rows[0]?.title) })
  stop()
  const { rows } = useLive<Order>(live.Order, { where: { id: 1 } })
  use(rows?.map(({ title }) => title), useLiveRefs<Order>(live.Order).rows.value)
}
