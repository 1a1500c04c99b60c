/** The API part: what there is, each operation to try, the schemas, what was sent. */
import { useEffect } from 'preact/hooks'
import { Empty } from '../components/empty.js'
import { Later } from '../components/later.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { useCommands } from '../commands.js'
import type { View } from '../views.js'
import { apiAddress, operationAddress, schemaAddress } from './addresses.js'
import { HistoryPage } from './history-page.js'
import { OAuthPage } from './oauth/oauth-page.js'
import { OperationList } from './operation-list.js'
import { OperationPage } from './operation-page.js'
import { Overview } from './overview.js'
import { SchemasPage } from './schemas-page.js'
import { TagPage } from './tag-page.js'

export const apiView: View = { Sidebar: OperationList, Main: ApiPage }

/** What parses GraphQL is as large as all the rest of this part. */
const graphqlPage = async () => (await import('./graphql/graphql-page.js')).GraphqlPage

function ApiPage () {
  const { router, description, config } = useUi()
  const { path: [first, second], view } = router.route.value
  useLegacyAddresses()
  useCommands(() => [
    ...description.actions.map(action => ({
      id: `operation ${action.operationId}`, title: `${action.operationId} – ${action.verb} ${action.path}`, group: 'API',
      icon: 'braces' as const, run: () => { router.go(operationAddress(action)) }
    })),
    ...Object.keys(description.document.components.schemas).map(name => ({
      id: `schema ${name}`, title: name, group: 'Schema', icon: 'layers' as const, run: () => { router.go(schemaAddress(name)) }
    }))
  ])
  if (first === undefined || first === '' || view !== 'api') return <Overview/>
  if (first === '~schemas') return <SchemasPage name={second}/>
  if (first === '~history') return <HistoryPage/>
  if (first === '~oauth') return <OAuthPage/>
  if (first === '~graphql' && config.graphql !== undefined) {
    return <Later load={graphqlPage} given={{ address: config.graphql }}/>
  }
  const action = description.actions.find(({ operationId }) => operationId === second)
  if (action !== undefined) return <OperationPage key={action.operationId} action={action}/>
  const tag = description.document.tags.find(({ name }) => name === first)
  if (tag !== undefined && second === undefined) return <TagPage tag={tag}/>
  return (
    <Empty icon="braces" title="There is no such operation here">
      <a class="button" href={addressOf('api')}>To the overview</a>
    </Empty>
  )
}

/** Addresses of the explorer as it was: `#Note.find`, `#schema.Note`. */
function useLegacyAddresses (): void {
  const { router, description } = useUi()
  const { view } = router.route.value
  useEffect(() => {
    const schema = /^schema\.(.+)$/.exec(view)?.[1]
    const action = description.actions.find(({ operationId }) => operationId === view)
    if (schema !== undefined) router.replace(schemaAddress(schema))
    else if (action !== undefined) router.replace(operationAddress(action))
    else if (view.startsWith('model.')) router.replace(apiAddress(view.slice('model.'.length)))
  }, [view])
}
