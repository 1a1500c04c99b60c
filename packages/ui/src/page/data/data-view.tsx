/** The part "data": lists of rows, and next to them the row that is open. */
import { useEffect } from 'preact/hooks'
import { Notice } from '../components/notice.js'
import { Skeleton } from '../components/skeleton.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import type { View } from '../views.js'
import { OpenQuestions } from './ask.js'
import { useDataPart } from './data-part.js'
import { Home } from './home.js'
import { listAddress, newAddress, locationIn, rowAddress, type DataLocation } from './list/list-state.js'
import { ListView } from './list/list-view.js'
import type { Models } from './models/models.js'
import { DeletedView } from './row/deleted-view.js'
import { NewPane } from './row/new-pane.js'
import { RowPane } from './row/row-pane.js'
import { SidebarList } from './sidebar-list.js'

function Main () {
  const { router } = useUi()
  const loaded = useDataPart().loaded.value
  const route = router.route.value
  const isOlder = route.view !== '' && route.view !== 'data'
  useEffect(() => {
    // Addresses of before there were other parts: `#/Note/row/7`.
    if (isOlder) router.replace(addressOf('data', [route.view, ...route.path], Object.fromEntries(route.query)))
  }, [route])
  if (isOlder || loaded.kind === 'loading') return <Skeleton/>
  if (loaded.kind === 'failed') return <div class="refusal"><Notice kind="bad">{(loaded.error as Error).message}</Notice></div>
  return <><Opened location={locationIn(route)} models={loaded.models}/><OpenQuestions/></>
}

function Opened ({ location, models }: { readonly location: DataLocation, readonly models: Models }) {
  const { router, config, description } = useUi()
  const { model: name, part, rows, state } = location
  const model = models.get(name)
  const title = config.title ?? description.document.info.title
  useEffect(() => {
    const row = rows.at(-1)
    document.title = [row === undefined ? '' : `${row.model} ${row.id}`, row === undefined || row.model !== name ? name : '', title]
      .filter(text => text !== '').join(' – ')
  }, [name, rows.length])
  if (name === '') return <Home/>
  if (model?.find === undefined) return <div class="refusal"><Notice kind="bad">There is no model {name} here.</Notice></div>
  if (part === 'deleted') return <DeletedView model={model}/>
  const close = (): void => { router.go(listAddress(name, state)) }
  return (
    <div class={`split ${part === 'list' ? '' : 'with-side'}`}>
      <ListView
        key={name} model={model} state={state} open={rows[0]?.model === name ? rows[0].id : undefined}
        goOpen={to => {
          router.replace(part === 'row' ? rowAddress(name, rows, to) : part === 'new' ? newAddress(name, to) : listAddress(name, to))
        }}
      />
      {part === 'row' && <RowPane list={name} state={state} rows={rows} onClose={close}/>}
      {part === 'new' && <NewPane key={name} model={model} state={state} onClose={close}/>}
    </div>
  )
}

export const dataView: View = { Sidebar: SidebarList, Main }
