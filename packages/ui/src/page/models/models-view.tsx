/** The models part: the picture of all, and each with its definition, its table, and changes of both. */
import { useEffect } from 'preact/hooks'
import { useCommands } from '../commands.js'
import { Empty } from '../components/empty.js'
import { Refused } from '../components/refused.js'
import { Skeleton } from '../components/skeleton.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import type { View } from '../views.js'
import { modelAddress } from './addresses.js'
import { definitionsOf } from './definitions-store.js'
import { ModelList } from './model-list.js'
import { ModelPage } from './model-page.js'
import { PicturePage } from './picture/picture-page.js'

export const modelsView: View = { Sidebar: ModelList, Main: ModelsPage }

function ModelsPage () {
  const ui = useUi()
  const store = definitionsOf(ui)
  useEffect(() => { store.load() }, [])
  useCommands(() => (store.value.peek()?.models ?? []).map(({ name }) => ({
    id: `model ${name}`, title: name, group: 'Model', icon: 'workflow' as const, run: () => { ui.router.go(modelAddress(name)) }
  })))
  const { path: [name] } = ui.router.route.value
  if (store.error.value !== undefined) return <Refused error={store.error.value} onRetry={() => { store.reload() }}/>
  const definitions = store.value.value
  if (definitions === undefined) return <Skeleton/>
  if (name === undefined || name === '') return <PicturePage definitions={definitions}/>
  const model = definitions.models.find(each => each.name === name)
  return model === undefined
    ? <Empty icon="workflow" title={`There is no model ${name} here`}><a class="button" href={addressOf('models')}>To all models</a></Empty>
    : <ModelPage key={name} model={model} definitions={definitions}/>
}
